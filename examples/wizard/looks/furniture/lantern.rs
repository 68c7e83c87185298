//! The lantern that hangs from the beams.

use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let at = vec3(1.3, 2.55, -0.9);
    commands.spawn(make.pillar(0.015, 0.9, DARK_IRON, at + Vec3::Y * 0.6));
    commands.spawn(make.cone(0.2, 0.16, DARK_IRON, at + Vec3::Y * 0.22));
    commands.spawn(make.pillar(0.16, 0.05, DARK_IRON, at - Vec3::Y * 0.17));
    let glass = make.pillar(
        0.11,
        0.26,
        Paint::Glow(Color::srgb(1.0, 0.80, 0.45), 3.0),
        at,
    );
    commands.spawn((glass, NotShadowCaster));
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.80, 0.55),
            intensity: 260_000.0,
            range: 14.0,
            ..default()
        },
        Transform::from_translation(at - Vec3::Y * 0.1),
    ));
}
