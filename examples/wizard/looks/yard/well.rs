//! The well.

use crate::looks::floor::at_wall;
use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = vec3(10.9, -0.25, -3.6);
    let at = |x: f32, y: f32, z: f32| place + vec3(x, y, z);
    for step in 0..10u8 {
        let turn = f32::from(step) * 36.0;
        let stone_at = Transform::from_translation(place)
            * at_wall(turn, 0.72)
            * Transform::from_xyz(0.0, 0.38, 0.0);
        commands.spawn(make.shape(Cuboid::new(0.50, 0.76, 0.22), stone(0.4, 0.6), stone_at));
    }
    let water = make.pillar(
        0.64,
        0.02,
        Paint::Glow(Color::srgb(0.10, 0.18, 0.32), 0.2),
        at(0.0, 0.56, 0.0),
    );
    commands.spawn(water);
    for side in [-0.78, 0.78] {
        commands.spawn(make.block(vec3(0.12, 2.0, 0.12), DARK_WOOD, at(side, 1.0, 0.0)));
    }
    commands.spawn(make.block(vec3(1.7, 0.12, 0.12), DARK_WOOD, at(0.0, 1.55, 0.0)));
    for side in [-1.0, 1.0] {
        let mut roof = Transform::from_translation(at(0.0, 2.18, 0.38 * side));
        roof.rotate_x(0.75 * side);
        commands.spawn(make.shape(Cuboid::new(2.0, 0.07, 1.05), planks(2.0, 1.0), roof));
    }
    commands.spawn(make.pillar(0.012, 0.55, DARK_WOOD, at(0.1, 1.28, 0.0)));
    commands.spawn(make.pillar(0.13, 0.24, WOOD, at(0.1, 0.92, 0.0)));
}
