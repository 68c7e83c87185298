//! The bell.

use crate::looks::shapes::*;
use bevy::prelude::*;

/// The great bell of the tower, which is broken.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let mut place = Transform::from_xyz(13.0, 0.15, -1.0);
    place.rotate(Quat::from_rotation_y(0.6) * Quat::from_rotation_z(1.15));
    let metal = Color::srgb(0.42, 0.36, 0.22);
    let body = ConicalFrustum {
        radius_top: 0.32,
        radius_bottom: 0.72,
        height: 1.0,
    };
    commands.spawn(make.shape(body, metal, place));
    commands.spawn(make.shape(
        Sphere::new(0.33).mesh().uv(16, 10),
        metal,
        place * Transform::from_xyz(0.0, 0.5, 0.0),
    ));
    commands.spawn(make.shape(
        Torus::new(0.62, 0.80),
        metal,
        place * Transform::from_xyz(0.0, -0.5, 0.0),
    ));
    let crack = place * Transform::from_xyz(0.42, -0.12, 0.30);
    commands.spawn(make.shape(Cuboid::new(0.3, 0.75, 0.05), Color::BLACK, crack));
}
