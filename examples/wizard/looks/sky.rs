//! The sky, the stars, the moon and the rain.

mod pieces;
mod rain;

use super::effects::Turning;
use super::shapes::{MOON, Shapes};
use super::textures::Textures;
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster};
use bevy::prelude::*;
use bevy::render::render_resource::Face;
use pieces::stars;

/// How far away the sky is.
const SKY: f32 = 70.0;
/// The rain falls in a block of this size, which hangs over the yard and comes round again and again.
pub const RAIN: Vec3 = vec3(17.0, 8.0, 9.0);

/// The sky, the moon and the rain.
pub fn build(mut commands: Commands, mut make: Shapes, textures: Res<Textures>) {
    let dome = StandardMaterial {
        base_color_texture: Some(textures.sky.clone()),
        unlit: true,
        fog_enabled: false,
        cull_mode: Some(Face::Front),
        ..default()
    };
    commands.spawn((
        make.own_mesh(Sphere::new(SKY).mesh().uv(24, 32)),
        make.own_material(dome),
        Transform::default(),
        NotShadowCaster,
    ));
    let bright = |colour: Color, times: f32| StandardMaterial {
        base_color: (colour.to_linear() * times).into(),
        unlit: true,
        fog_enabled: false,
        ..default()
    };
    commands.spawn((
        make.own_mesh(stars()),
        make.own_material(bright(Color::srgb(0.9, 0.93, 1.0), 2.0)),
        Transform::default(),
        Turning(0.004),
        NotShadowCaster,
    ));
    commands.spawn((
        make.own_mesh(Sphere::new(2.6).mesh().uv(24, 14)),
        make.own_material(bright(MOON, 1.5)),
        Transform::from_xyz(25.0, 11.5, -58.0),
        NotShadowCaster,
    ));
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(0.55, 0.68, 1.0),
            illuminance: 2200.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 1,
            maximum_distance: 30.0,
            ..default()
        }
        .build(),
        Transform::from_xyz(7.0, 9.0, -7.0).looking_at(vec3(6.0, 0.0, 0.0), Vec3::Y),
    ));
    rain::build(&mut commands, &mut make);
}
