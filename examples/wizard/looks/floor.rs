//! The floor: a round room, a doorway, a yard. Plain geometry, seen from above: `x` to the right, `y` for what is `z` in the scene.

mod room;
mod slide;
#[cfg(test)]
mod tests;

pub use room::is_free;
pub use slide::{slide, way_to};

use crate::game::{TOWER, YARD};
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// From the middle of the tower to the inside of its wall.
pub const RADIUS: f32 = 4.6;
/// How thick the wall is.
pub const WALL: f32 = 0.4;
/// Where in the wall the door is, in degrees: 0 is to the right, 90 is at the back.
pub const DOOR_ANGLE: f32 = 30.0;
/// How high the ground of the yard is. The floor of the tower is at 0.
pub const GROUND: f32 = -0.25;
/// How far the step before the door reaches out, from the middle of the wall, and to each side.
const STEP: Vec2 = vec2(1.05, 0.7);

/// A place on the floor, from a distance and an angle as a clock's hand has them.
pub fn around(degrees: f32, far: f32) -> Vec3 {
    let angle = degrees.to_radians();
    vec3(far * angle.cos(), 0.0, -far * angle.sin())
}

/// At the wall of the tower: `x` along it, `z` into the room.
pub fn at_wall(degrees: f32, far: f32) -> Transform {
    let turn = Quat::from_rotation_y(degrees.to_radians() - FRAC_PI_2);
    Transform::from_translation(around(degrees, far)).with_rotation(turn)
}

/// How far a figure is through the doorway: along it, from the middle of the wall outwards, and aside of its middle.
fn doorway_position(at: Vec2) -> (f32, f32) {
    let out = around(DOOR_ANGLE, 1.0).xz();
    (at.dot(out) - (RADIUS + WALL / 2.0), at.perp_dot(out))
}

/// The place that this is part of.
pub fn place_of(at: Vec2) -> &'static str {
    if at.length() < RADIUS + WALL / 2.0 {
        TOWER
    } else {
        YARD
    }
}

/// The height of a figure here: on the floor, on the step before the door, or on the ground of the yard.
pub fn height(at: Vec2) -> f32 {
    if at.length() < RADIUS + WALL {
        return 0.0;
    }
    let (along, aside) = doorway_position(at);
    let off_the_step = (along - STEP.x).max(aside.abs() - STEP.y);
    GROUND * (off_the_step / 0.3).clamp(0.0, 1.0)
}

/// A place here, at the height of the floor.
pub fn on_floor(at: Vec2) -> Vec3 {
    vec3(at.x, height(at), at.y)
}
