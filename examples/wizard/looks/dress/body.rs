//! What all of them have: a robe, a face, and sleeves with hands.

use super::Dress;
use crate::looks::shapes::*;
use bevy::prelude::*;

const SKIN: Color = Color::srgb(0.85, 0.66, 0.52);

/// A robe with its hem and its belt.
pub(super) fn robe(body: &mut EntityCommands, make: &mut Shapes, dress: Dress) {
    let cloth = dress.cloth();
    let robe = ConicalFrustum {
        radius_top: 0.16,
        radius_bottom: 0.58,
        height: 1.5,
    };
    let hem = ConicalFrustum {
        radius_top: 0.555,
        radius_bottom: 0.59,
        height: 0.12,
    };
    let trim = if dress == Dress::Wizard {
        BRASS
    } else {
        DARK_WOOD
    };
    let belt = ConicalFrustum {
        radius_top: 0.345,
        radius_bottom: 0.375,
        height: 0.09,
    };
    body.with_child(make.shape(robe, cloth, Transform::from_xyz(0.0, 0.76, 0.0)));
    body.with_child(make.shape(hem, trim, Transform::from_xyz(0.0, 0.08, 0.0)));
    body.with_child(make.shape(belt, trim, Transform::from_xyz(0.0, 0.86, 0.0)));
    body.with_child(make.ball(0.24, cloth, vec3(0.0, 1.42, 0.0)));
}

/// A head with its nose and its eyes.
pub(super) fn face(head: &mut EntityCommands, make: &mut Shapes) {
    head.with_child(make.ball(0.26, SKIN, vec3(0.0, 0.19, 0.0)));
    head.with_child(make.ball(0.06, SKIN, vec3(0.0, 0.15, 0.26)));
    for side in [-0.09, 0.09] {
        head.with_child(make.ball(0.036, Color::BLACK, vec3(side, 0.22, 0.23)));
    }
}

/// A sleeve, and the hand in it.
pub(super) fn sleeve(arm: &mut EntityCommands, make: &mut Shapes, cloth: Color) {
    let sleeve = ConicalFrustum {
        radius_top: 0.09,
        radius_bottom: 0.16,
        height: 0.62,
    };
    arm.with_child(make.shape(sleeve, cloth, Transform::from_xyz(0.0, -0.31, 0.0)));
    arm.with_child(make.ball(0.09, SKIN, vec3(0.0, -0.66, 0.0)));
}
