//! The wizard: his hat, his beard, his staff.

use crate::looks::figures::Orb;
use crate::looks::shapes::*;
use bevy::prelude::*;
use std::f32::consts::PI;

const BEARD: Color = Color::srgb(0.88, 0.88, 0.86);

pub(super) fn hat(head: &mut EntityCommands, make: &mut Shapes, cloth: Color) {
    head.with_child(make.pillar(0.44, 0.05, cloth, vec3(0.0, 0.38, 0.0)));
    let band = ConicalFrustum {
        radius_top: 0.25,
        radius_bottom: 0.27,
        height: 0.08,
    };
    head.with_child(make.shape(band, BRASS, Transform::from_xyz(0.0, 0.44, 0.0)));
    head.with_child(make.cone(0.27, 0.55, cloth, vec3(0.0, 0.68, 0.0)));
    let mut tip = Transform::from_xyz(0.0, 0.98, -0.07);
    tip.rotate_x(-0.6);
    head.with_child(make.shape(Cone::new(0.10, 0.32), cloth, tip));
}

pub(super) fn beard(head: &mut EntityCommands, make: &mut Shapes) {
    let mut beard = Transform::from_xyz(0.0, -0.16, 0.17);
    beard.rotate_x(PI - 0.15);
    head.with_child(make.shape(Cone::new(0.19, 0.62), BEARD, beard));
    for side in [-1.0, 1.0f32] {
        let mut hair = Transform::from_xyz(0.08 * side, 0.09, 0.26);
        hair.rotate_z(1.2 * side);
        head.with_child(make.shape(Capsule3d::new(0.035, 0.12), BEARD, hair));
        let mut brow = Transform::from_xyz(0.10 * side, 0.30, 0.22);
        brow.rotate_z(1.45 * side);
        head.with_child(make.shape(Capsule3d::new(0.025, 0.07), BEARD, brow));
    }
}

pub(super) fn staff(arm: &mut EntityCommands, make: &mut Shapes, whom: Entity) {
    arm.with_child(make.pillar(0.035, 2.1, DARK_WOOD, vec3(-0.04, -0.36, 0.10)));
    let orb = make.ball(
        0.12,
        Paint::Glow(Color::srgb(0.45, 0.85, 0.95), 2.5),
        vec3(-0.04, 0.78, 0.10),
    );
    arm.with_child((orb, Orb(whom)));
}
