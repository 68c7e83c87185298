//! The wall with its doorway and its window, and the beams from wall to wall.

use super::{DOOR_HIGH, HIGH, WINDOW_ANGLE};
use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;

/// The wall is built of straight pieces. Each covers this number of degrees.
const PIECE: f32 = 15.0;

/// Builds the wall.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let middle = RADIUS + WALL / 2.0;
    // A little too wide, so that no light falls through between two pieces.
    let wide = 2.0 * (middle + WALL / 2.0) * (PIECE.to_radians() / 2.0).tan() + 0.02;
    let mut piece = |angle: f32, bottom: f32, top: f32| {
        let high = top - bottom;
        let at = at_wall(angle, middle) * Transform::from_xyz(0.0, bottom + high / 2.0, 0.0);
        let paint = stone(1.0, high / 1.25);
        commands.spawn(make.shape(Cuboid::new(wide, high, WALL), paint, at));
    };
    for step in -2..=14i8 {
        let angle = f32::from(step) * PIECE;
        // Towards the front the wall is broken down, lower and lower.
        let top = match step {
            -2 | 14 => 0.7,
            -1 | 13 => 1.9,
            _ => HIGH,
        };
        if (angle - DOOR_ANGLE).abs() < 1.0 {
            piece(angle, DOOR_HIGH, top);
        } else if (angle - WINDOW_ANGLE).abs() < 1.0 {
            piece(angle, 0.0, 1.3);
            piece(angle, 2.7, top);
        } else {
            piece(angle, 0.0, top);
        }
        // Battlements.
        if top == HIGH && step % 2 == 0 {
            piece(angle, top, top + 0.45);
        }
    }
}

/// Beams from wall to wall, for the lantern to hang on.
pub(super) fn build_beams(commands: &mut Commands, make: &mut Shapes) {
    for z in [-2.6, -0.9] {
        commands.spawn(make.block(
            vec3(8.6, 0.2, 0.22),
            planks(4.0, 0.3),
            vec3(0.0, HIGH - 0.1, z),
        ));
    }
}
