//! The herbs.

use crate::looks::shapes::*;
use crate::looks::textures::chance;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = vec3(8.0, -0.25, -5.6);
    commands.spawn(make.block(
        vec3(2.3, 0.24, 1.1),
        Color::srgb(0.14, 0.10, 0.08),
        place + Vec3::Y * 0.1,
    ));
    for (size, at) in [
        (vec3(2.4, 0.3, 0.08), vec3(0.0, 0.14, 0.58)),
        (vec3(2.4, 0.3, 0.08), vec3(0.0, 0.14, -0.58)),
        (vec3(0.08, 0.3, 1.2), vec3(1.18, 0.14, 0.0)),
        (vec3(0.08, 0.3, 1.2), vec3(-1.18, 0.14, 0.0)),
    ] {
        commands.spawn(make.block(size, WOOD, place + at));
    }
    for plant in 0..14u8 {
        let (row, column) = (f32::from(plant / 7), f32::from(plant % 7));
        let at = place + vec3(-0.95 + column * 0.31, 0.36, -0.25 + row * 0.5);
        let high = 0.22 + 0.18 * chance(usize::from(plant), 2);
        commands.spawn(make.cone(0.13, high, LEAF, at));
        // Moonwort shines a little.
        let flower = if row > 0.5 {
            Paint::Glow(Color::srgb(0.70, 0.85, 1.0), 1.2)
        } else {
            Color::srgb(0.45, 0.22, 0.52).into()
        };
        commands.spawn((
            make.ball(0.045, flower, at + Vec3::Y * (high / 2.0 + 0.02)),
            NotShadowCaster,
        ));
    }
}
