//! The table, with an open book, a flask and a candle.

use crate::looks::effects::Flicker;
use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = vec3(-3.3, 0.0, 0.9);
    let at = |x: f32, y: f32, z: f32| place + vec3(x, y, z);
    commands.spawn(make.pillar(0.78, 0.09, planks(1.0, 1.0), at(0.0, 0.86, 0.0)));
    commands.spawn(make.pillar(0.14, 0.84, DARK_WOOD, at(0.0, 0.42, 0.0)));
    commands.spawn(make.pillar(0.42, 0.08, DARK_WOOD, at(0.0, 0.04, 0.0)));
    // An open book, a flask, a candle.
    for (side, lean) in [(-0.13, 0.12), (0.13, -0.12)] {
        let mut page = Transform::from_translation(at(0.28 + side, 0.93, 0.22));
        page.rotate_z(lean);
        commands.spawn(make.shape(Cuboid::new(0.25, 0.03, 0.34), WAX, page));
    }
    commands.spawn(make.ball(
        0.11,
        Paint::Glow(Color::srgb(0.55, 0.25, 0.80), 0.6),
        at(-0.42, 1.01, -0.1),
    ));
    commands.spawn(make.pillar(
        0.035,
        0.18,
        Color::srgb(0.55, 0.25, 0.80),
        at(-0.42, 1.15, -0.1),
    ));
    commands.spawn(make.pillar(0.06, 0.26, WAX, at(0.0, 1.03, -0.38)));
    let flame = make.shape(
        Cone::new(0.035, 0.13),
        Paint::Glow(Color::srgb(1.0, 0.75, 0.35), 8.0),
        Transform::from_translation(at(0.0, 1.23, -0.38)),
    );
    commands.spawn((flame, Flicker::flame(0.4), NotShadowCaster));
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.74, 0.42),
            intensity: 90_000.0,
            range: 7.0,
            ..default()
        },
        Transform::from_translation(at(0.0, 1.5, -0.2)),
        Flicker::light(90_000.0),
    ));
}
