//! Outside: grass, a path, a well, herbs, trees, the broken bell; stars, the moon and the rain over all of it.

use super::effects::{Flicker, Rain, Turning};
use super::floor::{DOOR_ANGLE, RADIUS, WALL, around, at_wall};
use super::shapes::*;
use super::textures::{Textures, chance};
use bevy::asset::RenderAssetUsages;
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::Face;
use std::f32::consts::PI;

/// How far away the sky is.
const SKY: f32 = 70.0;
/// How many stars there are.
const STARS: usize = 420;
/// The rain falls in a block of this size, which hangs over the yard and comes round again and again.
pub const RAIN: Vec3 = vec3(17.0, 8.0, 9.0);
const DROPS: usize = 260;

/// Builds the yard.
pub fn build(mut commands: Commands, mut make: Shapes) {
    let grass = Paint::Textured(Texture::Grass, Vec2::splat(14.0), Color::WHITE);
    commands.spawn(make.pillar(46.0, 0.2, grass, vec3(4.0, -0.35, 0.0)));
    path(&mut commands, &mut make);
    well(&mut commands, &mut make);
    herbs(&mut commands, &mut make);
    bell(&mut commands, &mut make);
    fence(&mut commands, &mut make);
    trees(&mut commands, &mut make);
    torch(&mut commands, &mut make);
}

fn path(commands: &mut Commands, make: &mut Shapes) {
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

fn well(commands: &mut Commands, make: &mut Shapes) {
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

fn herbs(commands: &mut Commands, make: &mut Shapes) {
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

/// The great bell of the tower, which is broken.
fn bell(commands: &mut Commands, make: &mut Shapes) {
    let mut place = Transform::from_xyz(13.0, 0.15, -1.0);
    place.rotate(Quat::from_rotation_y(0.6) * Quat::from_rotation_z(1.15));
    let metal = Color::srgb(0.42, 0.36, 0.22);
    let body = ConicalFrustum {
        radius_top: 0.32,
        radius_bottom: 0.72,
        height: 1.0,
    };
    commands.spawn(make.shape(body, metal, place));
    commands.spawn(make.shape(
        Sphere::new(0.33).mesh().uv(16, 10),
        metal,
        place * Transform::from_xyz(0.0, 0.5, 0.0),
    ));
    commands.spawn(make.shape(
        Torus::new(0.62, 0.80),
        metal,
        place * Transform::from_xyz(0.0, -0.5, 0.0),
    ));
    let crack = place * Transform::from_xyz(0.42, -0.12, 0.30);
    commands.spawn(make.shape(Cuboid::new(0.3, 0.75, 0.05), Color::BLACK, crack));
}

fn fence(commands: &mut Commands, make: &mut Shapes) {
    let mut run = |from: Vec3, to: Vec3, posts: u8| {
        let turn = Quat::from_rotation_y(-(to - from).xz().to_angle());
        for post in 0..=posts {
            let at = from.lerp(to, f32::from(post) / f32::from(posts));
            commands.spawn(make.block(vec3(0.12, 1.1, 0.12), DARK_WOOD, at + Vec3::Y * 0.3));
        }
        for high in [0.35, 0.68] {
            let at =
                Transform::from_translation((from + to) / 2.0 + Vec3::Y * high).with_rotation(turn);
            commands.spawn(make.shape(Cuboid::new(from.distance(to), 0.09, 0.05), WOOD, at));
        }
    };
    run(vec3(4.6, 0.0, -6.9), vec3(14.8, 0.0, -6.9), 7);
    run(vec3(14.8, 0.0, -6.9), vec3(14.8, 0.0, 3.4), 7);
    run(vec3(14.8, 0.0, 3.4), vec3(11.0, 0.0, 3.4), 3);
}

fn trees(commands: &mut Commands, make: &mut Shapes) {
    // All firs are of the same four parts, so that they are drawn together.
    let mut fir_of = |leaf: Color| {
        let trunk = make.pillar(0.09, 0.4, DARK_WOOD, Vec3::Y * 0.15);
        let crowns = [(0.38, 0.30), (0.60, 0.24), (0.82, 0.16)];
        let crowns = crowns.map(|(up, wide)| make.cone(wide, 0.38, leaf, Vec3::Y * up));
        std::iter::once(trunk).chain(crowns).collect::<Vec<_>>()
    };
    let near = fir_of(Color::srgb(0.13, 0.26, 0.18));
    let far = fir_of(Color::srgb(0.07, 0.13, 0.12));
    let mut grow = |fir: &[Shape], at: Vec3, high: f32| {
        let place = Transform::from_translation(at).with_scale(Vec3::splat(high));
        for (mesh, material, part) in fir {
            commands.spawn((mesh.clone(), material.clone(), place * *part));
        }
    };
    // One in the yard, and a dark wood all round.
    grow(&near, vec3(12.6, -0.25, 1.9), 3.2);
    for tree in 0..46usize {
        let angle = 8.0 + 164.0 * tree as f32 / 45.0 + 3.0 * chance(tree, 1);
        let at = vec3(5.0, -0.3, 0.0) + around(angle, 18.0 + 11.0 * chance(tree, 2));
        grow(&far, at, 3.2 + 2.6 * chance(tree, 3));
    }
}

/// A torch by the door, outside.
fn torch(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(DOOR_ANGLE + 13.0, RADIUS + WALL + 0.1);
    let stick =
        place * Transform::from_xyz(0.0, 1.7, -0.08).with_rotation(Quat::from_rotation_x(-0.35));
    commands.spawn(make.shape(Cylinder::new(0.05, 0.7), DARK_WOOD, stick));
    let flame = place * Transform::from_xyz(0.0, 2.18, -0.24);
    let fire = make.shape(Cone::new(0.10, 0.34), Paint::Glow(FIRE, 6.0), flame);
    commands.spawn((fire, Flicker::flame(2.1), NotShadowCaster));
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.62, 0.30),
            intensity: 260_000.0,
            range: 11.0,
            ..default()
        },
        flame * Transform::from_xyz(0.0, 0.2, -0.35),
        Flicker::light(260_000.0),
    ));
}

/// The sky, the moon and the rain.
pub fn build_sky(mut commands: Commands, mut make: Shapes, textures: Res<Textures>) {
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
    let drops = make.own_mesh(rain());
    let look = make.own_material(StandardMaterial {
        base_color: Color::srgba(0.65, 0.75, 1.0, 0.20),
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        cull_mode: None,
        ..default()
    });
    for above in [0.0, 1.0] {
        commands.spawn((
            drops.clone(),
            look.clone(),
            Transform::default(),
            Rain { above },
            NotShadowCaster,
        ));
    }
}

/// Many small squares on the sky, each turned towards the middle.
fn stars() -> Mesh {
    let squares = (0..STARS).map(|star| {
        let around = chance(star, 1) * 2.0 * PI;
        // Most are low, where the camera looks.
        let up = chance(star, 2).powi(2) * 1.3 + 0.03;
        let at = vec3(around.cos() * up.cos(), up.sin(), around.sin() * up.cos()) * (SKY - 4.0);
        let size = 0.05 + 0.13 * chance(star, 3).powi(4);
        let right = at.cross(Vec3::Y).normalize_or(Vec3::X) * size;
        let up = right.cross(at).normalize_or(Vec3::Y) * size;
        (at, right, up)
    });
    squares_of(squares)
}

/// Thin streaks in a block of [`RAIN`], from its lowest corner.
fn rain() -> Mesh {
    let streaks = (0..DROPS).map(|drop| {
        let at = vec3(chance(drop, 11), chance(drop, 12), chance(drop, 13)) * RAIN;
        (at, Vec3::X * 0.008, vec3(0.02, 0.16, 0.0))
    });
    squares_of(streaks)
}

/// A mesh of flat four-cornered pieces: the middle of each, and what leads to its right and upper edge.
fn squares_of(pieces: impl Iterator<Item = (Vec3, Vec3, Vec3)>) -> Mesh {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    for (at, right, up) in pieces {
        let first = corners.len() as u32;
        corners.extend(
            [
                at - right - up,
                at + right - up,
                at + right + up,
                at - right + up,
            ]
            .map(|corner| corner.to_array()),
        );
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    let normals = vec![[0.0, 1.0, 0.0]; corners.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}
