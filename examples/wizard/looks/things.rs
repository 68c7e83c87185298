//! The things of the story: each gets a shape when it appears, and from then on has the place and the state that the judged
//! world says. The acts of a character set it moving: a game that was loaded, or a plan that was taken back, moves nothing.

mod appear;
mod carry;
mod chest;
mod door;
mod herb;
mod key;
mod moving;
mod people;
mod swing;

use super::walk::WalkSystems;
use bevy::prelude::*;
use bevy_dramatis::plugin::ResultSystems;

/// Adds the things.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (swing::swing, swing::fall, carry::carry)
            .after(ResultSystems)
            .after(WalkSystems),
    )
    .add_observer(appear::give_shape)
    .add_plugins(moving::plugin);
}
