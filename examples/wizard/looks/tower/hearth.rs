//! The hearth.

use crate::looks::floor::{RADIUS, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// Builds the hearth.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = place();
    let mut part = |size: Vec3, paint: Paint, at: Vec3| {
        let at = place * Transform::from_translation(at);
        commands.spawn(make.shape(Cuboid::from_size(size), paint, at));
    };
    // Two pillars, a mantel, a chimney, and soot at the back.
    for side in [-1.0, 1.0] {
        part(
            vec3(0.36, 1.7, 0.8),
            stone(0.3, 1.3),
            vec3(0.95 * side, 0.85, 0.0),
        );
    }
    part(
        vec3(2.5, 0.26, 0.95),
        planks(1.0, 0.2),
        vec3(0.0, 1.8, 0.05),
    );
    part(vec3(1.7, 2.1, 0.6), stone(1.3, 1.7), vec3(0.0, 2.95, -0.1));
    part(
        vec3(1.6, 1.7, 0.1),
        Color::srgb(0.07, 0.06, 0.06).into(),
        vec3(0.0, 0.85, -0.3),
    );
    part(vec3(2.3, 0.08, 1.2), stone(1.3, 0.6), vec3(0.0, 0.04, 0.25));
    for (x, colour) in [(-0.8, BRASS), (-0.5, LEAF), (0.75, WAX)] {
        let at = place * Transform::from_xyz(x, 2.06, 0.15);
        commands.spawn(make.shape(Cylinder::new(0.08, 0.26), colour, at));
    }
    for turn in [0.3, 1.4, 2.5] {
        let mut log = place * Transform::from_xyz(0.0, 0.16, 0.1);
        log.rotate_local(Quat::from_rotation_y(turn) * Quat::from_rotation_z(FRAC_PI_2));
        commands.spawn(make.shape(Cylinder::new(0.08, 0.8), DARK_WOOD, log));
    }
}

/// Where it is in the wall.
pub(super) fn place() -> Transform {
    at_wall(150.0, RADIUS - 0.35)
}
