//! The path from the door to the gate.

use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, around};
use crate::looks::shapes::*;
use crate::looks::textures::chance;
use bevy::prelude::*;
use std::f32::consts::PI;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    // Flat stones from the door to the gate at the front.
    let start = around(DOOR_ANGLE, RADIUS + WALL + 0.9);
    let goal = vec3(9.6, 0.0, 3.4);
    for index in 0..11u8 {
        let part = f32::from(index) / 10.0;
        let bend = (part * PI).sin() * 0.9;
        let at = start.lerp(goal, part) + vec3(bend, -0.24, -bend * 0.5);
        let wide = 0.36 + 0.14 * chance(usize::from(index), 5);
        commands.spawn(make.pillar(wide, 0.06, Color::srgb(0.34, 0.34, 0.36), at));
    }
}
