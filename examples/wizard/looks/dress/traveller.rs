//! The traveller: a hood, and a bag for the road.

use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::PI;

pub(super) fn hood(head: &mut EntityCommands, make: &mut Shapes, cloth: Color) {
    head.with_child(make.ball(0.30, cloth, vec3(0.0, 0.24, -0.07)));
    let mut tip = Transform::from_xyz(0.0, 0.36, -0.30);
    tip.rotate_x(-1.9);
    head.with_child(make.shape(Cone::new(0.17, 0.34), cloth, tip));
}

/// The bag, and a blanket on it.
pub(super) fn bag(body: &mut EntityCommands, make: &mut Shapes) {
    body.with_child(make.block(
        vec3(0.34, 0.40, 0.18),
        Color::srgb(0.40, 0.27, 0.15),
        vec3(0.0, 1.05, -0.36),
    ));
    let mut roll = Transform::from_xyz(0.0, 1.33, -0.36);
    roll.rotate_z(PI / 2.0);
    let blanket = Color::srgb(0.55, 0.48, 0.36);
    body.with_child(make.shape(Cylinder::new(0.09, 0.48), blanket, roll));
}
