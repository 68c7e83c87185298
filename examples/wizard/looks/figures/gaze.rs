//! Who looks at whom.

use super::Figure;
use crate::gossip::Says;
use bevy::prelude::*;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// How fast a figure turns, in radians a second.
const TURN: f32 = 5.0;

/// Adds who looks at whom.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(look_at_speaker).add_observer(
        |says: On<Says>, mut figures: Query<&mut Figure>| {
            look_at_each_other(&mut figures, says.who, says.to);
        },
    );
}

/// A character that answers looks at the speaker, and the speaker looks back.
fn look_at_speaker(
    started: On<RunStarted>,
    runs: Query<&InteractionContext>,
    ids: Res<WorldIndex>,
    mut figures: Query<&mut Figure>,
) {
    let speaker = runs
        .get(started.run)
        .ok()
        .and_then(|run| run.speaker.as_deref());
    let speaker = speaker.and_then(|id| ids.get(id));
    if let (Some(one), Some(other)) = (started.entity, speaker) {
        look_at_each_other(&mut figures, one, other);
    }
}

fn look_at_each_other(figures: &mut Query<&mut Figure>, one: Entity, other: Entity) {
    for (who, whom) in [(one, other), (other, one)] {
        if let Ok(mut figure) = figures.get_mut(who) {
            figure.looks_at = Some(whom);
        }
    }
}

/// A figure that does not walk turns to the one that it looks at. `walk.rs` turns those that walk.
pub(super) fn face(
    mut figures: Query<(Entity, &Figure)>,
    mut places: Query<&mut Transform>,
    time: Res<Time>,
) {
    for (entity, figure) in &mut figures {
        if figure.pace > 0.15 {
            continue;
        }
        let Some([mut own, other]) = figure
            .looks_at
            .and_then(|other| places.get_many_mut([entity, other]).ok())
        else {
            continue;
        };
        let way = other.translation - own.translation;
        if way.xz().length() > 0.1 {
            turn_to(&mut own, way, TURN * time.delta_secs());
        }
    }
}

/// Turns a figure so that it looks along a way.
pub fn turn_to(transform: &mut Transform, way: Vec3, angle: f32) {
    let goal = Quat::from_rotation_y(way.x.atan2(way.z));
    transform.rotation = transform.rotation.rotate_towards(goal, angle);
}
