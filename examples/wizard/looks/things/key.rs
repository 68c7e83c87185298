//! A key.

use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// A ring, a shaft, a bit.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes, of: Entity, colour: Color) {
    let mut key = commands.entity(of);
    let ring = Transform::from_xyz(0.0, 0.16, 0.0).with_rotation(Quat::from_rotation_x(FRAC_PI_2));
    key.with_child(make.shape(Torus::new(0.05, 0.11), colour, ring));
    key.with_child(make.block(vec3(0.05, 0.3, 0.05), colour, vec3(0.0, -0.07, 0.0)));
    key.with_child(make.block(vec3(0.12, 0.05, 0.05), colour, vec3(0.06, -0.19, 0.0)));
}
