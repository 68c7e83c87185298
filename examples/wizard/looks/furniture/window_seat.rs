//! What is at the window.

use crate::looks::floor::{RADIUS, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::TAU;

/// Morwen's chair by the window, which must stay empty.
pub(super) fn build_chair(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(50.0, RADIUS - 0.85);
    let mut part = |size: Vec3, at: Vec3| {
        let at = place * Transform::from_translation(at);
        commands.spawn(make.shape(Cuboid::from_size(size), planks(0.4, 0.4), at));
    };
    part(vec3(0.62, 0.08, 0.58), vec3(0.0, 0.48, 0.0));
    part(vec3(0.62, 0.85, 0.08), vec3(0.0, 0.9, -0.28));
    for (x, z) in [(-0.26, -0.24), (0.26, -0.24), (-0.26, 0.24), (0.26, 0.24)] {
        part(vec3(0.07, 0.48, 0.07), vec3(x, 0.24, z));
    }
    let cushion = place * Transform::from_xyz(0.0, 0.55, 0.03);
    commands.spawn(make.shape(
        Cuboid::new(0.5, 0.08, 0.46),
        Color::srgb(0.42, 0.12, 0.16),
        cushion,
    ));
}

/// A telescope that looks out of the window.
pub(super) fn build_telescope(commands: &mut Commands, make: &mut Shapes) {
    let stand = at_wall(88.0, RADIUS - 0.8);
    for turn in [0.0, TAU / 3.0, 2.0 * TAU / 3.0] {
        let leg = stand
            * Transform::from_rotation(Quat::from_rotation_y(turn) * Quat::from_rotation_z(0.28))
            * Transform::from_xyz(0.0, 0.62, 0.0);
        commands.spawn(make.shape(Cylinder::new(0.03, 1.2), DARK_WOOD, leg));
    }
    let tube = stand
        * Transform::from_xyz(0.0, 1.32, 0.0)
        * Transform::from_rotation(Quat::from_rotation_y(-0.4) * Quat::from_rotation_x(-1.05));
    commands.spawn(make.shape(Cylinder::new(0.09, 1.0), BRASS, tube));
    for (along, wide) in [(0.5, 0.12), (-0.5, 0.10), (0.0, 0.105)] {
        let ring = tube * Transform::from_xyz(0.0, along, 0.0);
        commands.spawn(make.shape(Cylinder::new(wide, 0.06), DARK_WOOD, ring));
    }
}
