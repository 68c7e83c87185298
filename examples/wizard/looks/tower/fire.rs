//! The fire in the hearth.

use super::hearth::place;
use crate::looks::effects::Flicker;
use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

/// Flames, one after another, each in its own measure; and their light.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = place();
    for (index, (x, z, high)) in [
        (0.0, 0.1, 0.55),
        (-0.2, 0.0, 0.38),
        (0.2, 0.15, 0.40),
        (0.08, -0.1, 0.46),
    ]
    .into_iter()
    .enumerate()
    {
        let paint = Paint::Glow(
            if index == 0 {
                Color::srgb(1.0, 0.72, 0.28)
            } else {
                FIRE
            },
            5.0,
        );
        let at = place * Transform::from_xyz(x, 0.2 + high / 2.0, z);
        let flame = make.shape(Cone::new(0.13, high), paint, at);
        commands.spawn((flame, Flicker::flame(index as f32 * 1.7), NotShadowCaster));
    }
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.60, 0.28),
            intensity: 520_000.0,
            range: 16.0,
            shadow_maps_enabled: true,
            ..default()
        },
        place * Transform::from_xyz(0.0, 1.0, 1.0),
        Flicker::light(520_000.0),
    ));
}
