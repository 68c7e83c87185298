//! What can be carried.

use super::moving::Moving;
use crate::looks::floor::height;
use crate::looks::walk::Stands;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// How high a thing lies that no character carries.
const LYING: f32 = 0.16;
/// A carried thing has arrived when it is at most this far away, in metres.
const ARRIVED: f32 = 0.02;

/// Something that can be carried: it hangs at the belt of its bearer, here.
#[derive(Component)]
pub(super) struct Carried {
    belt: Vec3,
    /// Whether a character has ever had it. Until then it is where it was made.
    moved: bool,
}

/// Makes a thing one that can be carried, at this place of the belt.
pub(super) fn carried(commands: &mut Commands, thing: Entity, belt: Vec3) {
    commands
        .entity(thing)
        .insert(Carried { belt, moved: false });
}

/// What is carried hangs at its bearer's belt, and crosses the room when it is given. What was put down lies on the floor, and
/// what was used up is gone.
pub(super) fn carry(
    mut things: Query<(
        Entity,
        Option<&PlacedIn>,
        &mut Carried,
        &mut Transform,
        &mut Visibility,
        Has<Moving>,
    )>,
    bearers: Query<&Transform, (Without<Carried>, With<Stands>)>,
    mut commands: Commands,
    time: Res<Time>,
) {
    let ease = 1.0 - (-5.0 * time.delta_secs()).exp();
    for (entity, placed, mut thing, mut transform, mut visibility, moves) in &mut things {
        let shown = if placed.is_some() {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        };
        visibility.set_if_neq(shown);
        let here = transform.translation;
        let goal = match placed.map(|placed| bearers.get(placed.0)) {
            Some(Ok(bearer)) => {
                thing.moved = true;
                bearer.transform_point(thing.belt)
            }
            Some(Err(_)) if thing.moved => here.with_y(height(here.xz()) + LYING),
            _ => continue,
        };
        let next = if moves { here.lerp(goal, ease) } else { goal };
        transform.set_if_neq(transform.with_translation(next));
        if moves && next.distance(goal) < ARRIVED {
            commands.entity(entity).remove::<Moving>();
        }
    }
}
