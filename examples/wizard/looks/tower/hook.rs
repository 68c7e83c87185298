//! The hook on which a key hangs.

use crate::looks::floor::{RADIUS, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// Where the hook is on which a key hangs.
pub fn hook() -> Vec3 {
    let hook = at_wall(135.0, RADIUS - 0.12);
    hook.translation + Vec3::Y * 1.55
}

/// A hook, and the board that it is screwed on.
pub fn hang_hook(mut commands: Commands, mut make: Shapes) {
    let place = at_wall(135.0, RADIUS - 0.04);
    let board = place * Transform::from_xyz(0.0, 1.78, 0.0);
    commands.spawn(make.shape(Cuboid::new(0.5, 0.16, 0.06), planks(0.5, 0.1), board));
    let peg = place
        * Transform::from_xyz(0.0, 1.76, 0.08).with_rotation(Quat::from_rotation_x(FRAC_PI_2));
    commands.spawn(make.shape(Cylinder::new(0.025, 0.14), BRASS, peg));
}
