//! A character goes to what it takes, opens or uses.

use super::Steered;
use crate::looks::figures::Figure;
use crate::looks::floor::way_to;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// How near a figure goes to a thing that it takes, opens or uses, in metres.
const ARM: f32 = 0.9;
/// How long a figure stays there, including the way, in seconds.
const ERRAND: f32 = 3.5;

/// Adds the errands.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(go_there::<Take>)
        .add_observer(go_there::<Open>)
        .add_observer(go_there::<Close>)
        .add_observer(go_there::<Use>);
}

/// A character does something elsewhere: it goes there, and back again.
#[derive(Component)]
pub(super) struct Errand {
    /// The spot for it.
    pub(super) goal: Vec2,
    /// How many seconds it still stays there.
    pub(super) left: f32,
}

/// A character goes to what it takes, opens or uses. The player walks by itself.
fn go_there<A: NpcAction>(
    done: On<Applied<A>>,
    figures: Query<&Transform, (With<Figure>, Without<Steered>)>,
    things: Query<&Transform, Without<Figure>>,
    mut commands: Commands,
) {
    let (Some(who), Some(what)) = (done.entity, done.target) else {
        return;
    };
    if let (Ok(here), Ok(there)) = (figures.get(who), things.get(what)) {
        let goal = way_to(here.translation.xz(), there.translation.xz(), ARM);
        commands
            .entity(who)
            .try_insert(Errand { goal, left: ERRAND });
    }
}
