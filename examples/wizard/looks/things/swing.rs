//! What turns: doors, lids, the bar.

use super::moving::Moving;
use crate::door::Door;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Attributes;
use std::f32::consts::{FRAC_1_SQRT_2, PI};

/// The rotation of a bar that is not across its door.
pub(super) const UPRIGHT: Quat = Quat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2);

/// A part that turns when `of` opens.
#[derive(Component)]
pub(super) struct Hinge {
    pub(super) of: Entity,
    pub(super) closed: Quat,
    pub(super) open: Quat,
}

/// The bar of a door: across it, or upright next to it.
#[derive(Component)]
pub(super) struct Bar {
    pub(super) of: Entity,
}

/// What is open turns: a door by its component, another thing by what the judged world says of it.
pub(super) fn swing(
    mut hinges: Query<(&Hinge, &mut Transform)>,
    things: Query<(&Attributes, Option<&Door>, Has<Moving>)>,
    mut commands: Commands,
    time: Res<Time>,
) {
    for (hinge, mut transform) in &mut hinges {
        let Ok((thing, door, moves)) = things.get(hinge.of) else {
            continue;
        };
        let open = match door {
            Some(door) => door.open,
            None => thing.0.get("open").is_some_and(WorldValue::truthy),
        };
        let goal = if open { hinge.open } else { hinge.closed };
        let angle = if moves { 2.0 * time.delta_secs() } else { PI };
        turn(&mut transform, goal, angle);
        if moves && transform.rotation == goal {
            commands.entity(hinge.of).remove::<Moving>();
        }
    }
}

/// The bar falls across a barred door.
pub(super) fn fall(mut bars: Query<(&Bar, &mut Transform)>, doors: Query<&Door>, time: Res<Time>) {
    for (bar, mut transform) in &mut bars {
        let barred = doors.get(bar.of).is_ok_and(|door| door.barred);
        let goal = if barred { Quat::IDENTITY } else { UPRIGHT };
        turn(&mut transform, goal, 5.0 * time.delta_secs());
    }
}

fn turn(transform: &mut Mut<Transform>, goal: Quat, angle: f32) {
    if transform.rotation != goal {
        transform.rotation = transform.rotation.rotate_towards(goal, angle);
    }
}
