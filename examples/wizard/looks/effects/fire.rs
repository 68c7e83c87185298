//! Flames.

use bevy::prelude::*;

/// Adds the flames.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, flicker);
}

/// A flame, or its light, that is never quite still.
#[derive(Component)]
pub struct Flicker {
    /// Where in its motion it starts, so that no two are alike.
    phase: f32,
    /// How bright a light is in the mean.
    bright: f32,
}

impl Flicker {
    pub fn flame(phase: f32) -> Self {
        Self { phase, bright: 0.0 }
    }

    pub fn light(bright: f32) -> Self {
        Self {
            phase: bright % 7.0,
            bright,
        }
    }
}

fn flicker(
    mut flames: Query<(&Flicker, &mut Transform, Option<&mut PointLight>)>,
    time: Res<Time>,
) {
    let t = time.elapsed_secs();
    for (flicker, mut transform, light) in &mut flames {
        let p = flicker.phase;
        let wave = 0.5 * (t * 9.0 + p).sin()
            + 0.3 * (t * 17.0 + 2.3 * p).sin()
            + 0.2 * (t * 31.0 + p).sin();
        match light {
            Some(mut light) => light.intensity = flicker.bright * (1.0 + 0.12 * wave),
            None => transform.scale = vec3(1.0 - 0.12 * wave, 1.0 + 0.25 * wave, 1.0 - 0.12 * wave),
        }
    }
}
