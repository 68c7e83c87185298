//! The shelf, with books and a globe.

use crate::looks::floor::{RADIUS, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(116.0, RADIUS - 0.28);
    let mut part = |size: Vec3, paint: Paint, at: Transform| {
        commands.spawn(make.shape(Cuboid::from_size(size), paint, place * at));
    };
    let wood = || planks(0.4, 1.0);
    for side in [-0.95, 0.95] {
        part(
            vec3(0.08, 2.6, 0.46),
            wood(),
            Transform::from_xyz(side, 1.3, 0.0),
        );
    }
    for board in 0..4u8 {
        let at = Transform::from_xyz(0.0, 0.12 + f32::from(board) * 0.8, 0.0);
        part(vec3(1.9, 0.07, 0.46), planks(1.0, 0.1), at);
    }
    part(
        vec3(1.9, 2.6, 0.04),
        DARK_WOOD.into(),
        Transform::from_xyz(0.0, 1.3, -0.2),
    );
    for book in 0..24u8 {
        let (row, column) = (book / 8, book % 8);
        // Every row has a gap, and next to it a book that leans.
        if column == row * 2 + 1 {
            continue;
        }
        let hue = f32::from(book) * 47.0 % 360.0;
        let high = 0.42 + 0.07 * f32::from(book * 5 % 4);
        let lean = if column == row * 2 + 2 { 0.22 } else { 0.0 };
        let at = Transform::from_xyz(
            -0.80 + f32::from(column) * 0.225,
            0.16 + f32::from(row) * 0.8 + high / 2.0,
            0.04,
        )
        .with_rotation(Quat::from_rotation_z(lean));
        part(
            vec3(0.15, high, 0.30),
            Color::hsl(hue, 0.40, 0.30).into(),
            at,
        );
    }
    // On top: a skull would be too much, so a globe.
    let globe = place * Transform::from_xyz(-0.5, 2.86, 0.0);
    commands.spawn(make.shape(
        Sphere::new(0.2).mesh().uv(16, 10),
        Color::srgb(0.20, 0.36, 0.48),
        globe,
    ));
    let ring = globe * Transform::from_rotation(Quat::from_rotation_x(1.2));
    commands.spawn(make.shape(Torus::new(0.21, 0.25), BRASS, ring));
}
