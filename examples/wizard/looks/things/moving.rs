//! What an act sets moving.

use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::prelude::*;

/// Adds the acts that set things moving.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(set_moving::<Open>)
        .add_observer(set_moving::<Close>)
        .add_observer(set_moving::<Take>)
        .add_observer(set_moving::<Give>)
        .add_observer(set_moving::<PutDown>)
        .add_observer(stop_moving);
}

/// A character has done something with it: it is on its way to where, or how, it is now.
#[derive(Component)]
pub(super) struct Moving;

fn set_moving<A: NpcAction>(done: On<Applied<A>>, mut commands: Commands) {
    if let Some(thing) = done.target {
        commands.entity(thing).try_insert(Moving);
    }
}

/// In a game that was loaded everything is where it was.
fn stop_moving(_: On<GameLoaded>, moving: Query<Entity, With<Moving>>, mut commands: Commands) {
    for thing in &moving {
        commands.entity(thing).remove::<Moving>();
    }
}
