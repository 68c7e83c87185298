//! Walking. The player steers with the keys; every figure goes where the judged world says that it is.
//!
//! The threshold of the door is the border of two places of the story, and the rulebook decides who may pass: a player who
//! steps over it by the keys asks first, like a player who types `> go to the tower`.

mod errand;
mod follow;
mod listen;
mod steer;

pub use steer::Steered;

use bevy::prelude::*;
use bevy_egui::input::egui_wants_any_keyboard_input;

/// How fast one walks, in metres a second.
const SPEED: f32 = 2.6;

/// When figures walk.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WalkSystems;

/// Adds walking.
pub fn plugin(app: &mut App) {
    app.add_plugins(errand::plugin).add_systems(
        Update,
        (
            steer::stop.run_if(egui_wants_any_keyboard_input),
            steer::steer.run_if(not(egui_wants_any_keyboard_input)),
            follow::follow_world,
            listen::listen,
        )
            .chain()
            .in_set(WalkSystems),
    );
}

/// The usual spot of a character in each place.
#[derive(Component)]
pub struct Stands {
    pub tower: Vec2,
    pub yard: Vec2,
}
