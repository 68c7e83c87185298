//! The gardener: her straw hat, her plait.

use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn straw_hat(head: &mut EntityCommands, make: &mut Shapes) {
    let straw = Color::srgb(0.82, 0.68, 0.36);
    head.with_child(make.pillar(0.48, 0.04, straw, vec3(0.0, 0.36, 0.0)));
    let crown = ConicalFrustum {
        radius_top: 0.19,
        radius_bottom: 0.25,
        height: 0.2,
    };
    head.with_child(make.shape(crown, straw, Transform::from_xyz(0.0, 0.46, 0.0)));
    head.with_child(make.pillar(
        0.245,
        0.05,
        Color::srgb(0.55, 0.16, 0.14),
        vec3(0.0, 0.40, 0.0),
    ));
    // Her hair, in a plait.
    let hair = Color::srgb(0.40, 0.20, 0.10);
    head.with_child(make.ball(0.265, hair, vec3(0.0, 0.22, -0.05)));
    for bead in 0..4u8 {
        let down = f32::from(bead) * 0.13;
        head.with_child(make.ball(
            0.085 - 0.01 * f32::from(bead),
            hair,
            vec3(0.14, 0.02 - down, -0.22),
        ));
    }
}
