//! The floor, and the step before the door.

use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let flags = Paint::Textured(
        Texture::Stone,
        Vec2::splat(3.0),
        Color::srgb(0.60, 0.56, 0.54),
    );
    commands.spawn(make.pillar(RADIUS + WALL, 0.5, flags, vec3(0.0, -0.25, 0.0)));
    // The step before the door.
    let step = at_wall(DOOR_ANGLE, RADIUS + WALL + 0.35) * Transform::from_xyz(0.0, -0.13, 0.0);
    commands.spawn(make.shape(Cuboid::new(1.6, 0.26, 1.0), stone(1.0, 0.3), step));
    let rug = Paint::Textured(Texture::Rug, Vec2::ONE, Color::WHITE);
    commands.spawn(make.pillar(1.75, 0.03, rug, vec3(-0.4, 0.015, 0.1)));
}
