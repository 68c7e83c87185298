//! What a quality turns on and off.

use super::Quality;
use super::canvas::Canvas;
use crate::looks::camera::GameCamera;
use bevy::camera::RenderTarget;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;

pub(super) fn apply(
    quality: Res<Quality>,
    camera: Single<Entity, With<GameCamera>>,
    canvases: Query<Entity, With<Canvas>>,
    mut fires: Query<&mut PointLight>,
    mut moons: Query<&mut DirectionalLight>,
    mut commands: Commands,
) {
    let high = *quality == Quality::High;
    let mut camera = commands.entity(*camera);
    if high {
        camera.insert((Bloom::NATURAL, Msaa::Sample4, RenderTarget::default()));
    } else {
        camera.remove::<Bloom>().insert(Msaa::Off);
    }
    for canvas in &canvases {
        commands.entity(canvas).despawn();
    }
    for mut moon in &mut moons {
        moon.shadow_maps_enabled = high;
    }
    // Only the hearth throws shadows.
    for mut fire in &mut fires {
        fire.shadow_maps_enabled = high && fire.intensity > 400_000.0;
    }
}
