//! Every figure goes where the judged world says that it is.

use super::errand::Errand;
use super::steer::Steered;
use super::{SPEED, Stands};
use crate::game::TOWER;
use crate::looks::figures::{Figure, turn_to};
use crate::looks::floor::{on_floor, place_of};
use crate::looks::ways::Way;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// A figure that is not where the world has it walks there; a character also to its usual spot.
pub(super) fn follow_world(
    mut figures: Query<
        (
            Entity,
            &Stands,
            &PlacedIn,
            &mut Transform,
            Option<&mut Steered>,
            Option<&mut Errand>,
            Option<&Way>,
        ),
        With<Figure>,
    >,
    mut commands: Commands,
    places: Query<&WorldId>,
    time: Res<Time>,
) {
    for (entity, stands, placed, mut transform, steered, errand, way) in &mut figures {
        let Ok(WorldId(place)) = places.get(placed.0) else {
            continue;
        };
        let here = transform.translation.xz();
        let mut goal = if place == TOWER {
            stands.tower
        } else {
            stands.yard
        };
        if let Some(mut errand) = errand {
            errand.left -= time.delta_secs();
            if errand.left <= 0.0 {
                commands.entity(entity).remove::<Errand>();
            } else if place_of(errand.goal) == place.as_str() {
                goal = errand.goal;
            }
        }
        if let Some(mut steered) = steered {
            let is_elsewhere = place_of(here) != place.as_str();
            let arrives = here.distance(goal) < 0.05;
            steered.guided = !steered.moves && (is_elsewhere || (steered.guided && !arrives));
            if !steered.guided {
                continue;
            }
        }
        if here.distance(goal) < 0.03 {
            continue;
        }
        // The way to a goal is looked for once.
        let new = way
            .is_none_or(|way| !way.leads_to(goal))
            .then(|| Way::to(goal));
        let next = new
            .as_ref()
            .or(way)
            .map_or(goal, |way| way.next_point(here));
        if let Some(new) = new {
            commands.entity(entity).insert(new);
        }
        let way = (next - here).clamp_length_max(0.8 * SPEED * time.delta_secs());
        let there = here + way;
        turn_to(
            &mut transform,
            vec3(way.x, 0.0, way.y),
            8.0 * time.delta_secs(),
        );
        transform.translation = on_floor(there);
    }
}
