//! The player steers with the keys.

use super::SPEED;
use crate::door::Door;
use crate::looks::figures::turn_to;
use crate::looks::floor::{on_floor, place_of, slide};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ProposedAction;

/// How long the player who was refused at the threshold waits before asking again, in seconds.
const ASK_AGAIN_AFTER: f32 = 2.0;

/// The player's figure, which the keys steer.
#[derive(Component, Default)]
pub struct Steered {
    /// Seconds until the rulebook is asked again.
    ask_again_in: f32,
    /// Whether keys move it now.
    pub(super) moves: bool,
    /// It has been somewhere else than the world says, and goes by itself to its usual spot.
    pub(super) guided: bool,
}

/// The way that the keys say, seen from above; not longer than 1.
fn walk_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let held = |either: [KeyCode; 2]| if keys.any_pressed(either) { 1.0 } else { 0.0 };
    let right =
        held([KeyCode::KeyD, KeyCode::ArrowRight]) - held([KeyCode::KeyA, KeyCode::ArrowLeft]);
    let near = held([KeyCode::KeyS, KeyCode::ArrowDown]) - held([KeyCode::KeyW, KeyCode::ArrowUp]);
    vec2(right, near).clamp_length_max(1.0)
}

/// A player who types does not walk.
pub(super) fn stop(mut steered: Query<&mut Steered>) {
    for mut one in &mut steered {
        one.moves = false;
    }
}

pub(super) fn steer(
    player: Single<(Entity, &mut Steered, &mut Transform, &PlacedIn)>,
    places: Query<&WorldId>,
    doors: Query<&Door>,
    keys: Res<ButtonInput<KeyCode>>,
    mut commands: Commands,
    time: Res<Time>,
) {
    let (entity, mut steered, mut transform, placed) = player.into_inner();
    let way = walk_direction(&keys);
    steered.ask_again_in -= time.delta_secs();
    steered.moves = way != Vec2::ZERO;
    if !steered.moves {
        return;
    }
    let open = doors.iter().any(|door| door.open);
    let here = transform.translation.xz();
    let there = slide(here, here + way * SPEED * time.delta_secs(), open);
    turn_to(
        &mut transform,
        vec3(way.x, 0.0, way.y),
        10.0 * time.delta_secs(),
    );
    let place = place_of(there);
    let is_there = places.get(placed.0).is_ok_and(|id| id.0 == place);
    if is_there || place == place_of(here) {
        transform.translation = on_floor(there);
    } else if steered.ask_again_in <= 0.0 {
        steered.ask_again_in = ASK_AGAIN_AFTER;
        let way = MoveTo {
            target: place.to_owned(),
        };
        commands
            .entity(entity)
            .perform_all(vec![ProposedAction::of(&way)]);
    }
}
