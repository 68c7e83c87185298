//! The room: a round tower, cut open towards the camera.

use super::effects::Flicker;
use super::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use super::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// How high the wall is.
const HIGH: f32 = 3.6;
/// How high the doorway is.
const DOOR_HIGH: f32 = 2.5;
/// The wall is built of straight pieces. Each covers this number of degrees.
const PIECE: f32 = 15.0;
/// The piece with the window.
const WINDOW_ANGLE: f32 = 75.0;
/// Where the fire burns.
pub const HEARTH: Vec3 = vec3(-3.55, 0.0, -2.15);

/// Builds the room.
pub fn build(mut commands: Commands, mut make: Shapes) {
    walls(&mut commands, &mut make);
    floor(&mut commands, &mut make);
    hearth(&mut commands, &mut make);
}

fn walls(commands: &mut Commands, make: &mut Shapes) {
    let middle = RADIUS + WALL / 2.0;
    // A little too wide, so that no light falls through between two pieces.
    let wide = 2.0 * (middle + WALL / 2.0) * (PIECE.to_radians() / 2.0).tan() + 0.02;
    let mut piece = |angle: f32, bottom: f32, top: f32| {
        let high = top - bottom;
        let at = at_wall(angle, middle) * Transform::from_xyz(0.0, bottom + high / 2.0, 0.0);
        let paint = stone(1.0, high / 1.25);
        commands.spawn(make.shape(Cuboid::new(wide, high, WALL), paint, at));
    };
    for step in -2..=14i8 {
        let angle = f32::from(step) * PIECE;
        // Towards the front the wall is broken down, lower and lower.
        let top = match step {
            -2 | 14 => 0.7,
            -1 | 13 => 1.9,
            _ => HIGH,
        };
        if (angle - DOOR_ANGLE).abs() < 1.0 {
            piece(angle, DOOR_HIGH, top);
        } else if (angle - WINDOW_ANGLE).abs() < 1.0 {
            piece(angle, 0.0, 1.3);
            piece(angle, 2.7, top);
        } else {
            piece(angle, 0.0, top);
        }
        // Battlements.
        if top == HIGH && step % 2 == 0 {
            piece(angle, top, top + 0.45);
        }
    }
    // The frames of door and window.
    for (angle, half, bottom, top) in [
        (DOOR_ANGLE, 0.68, 0.0, DOOR_HIGH),
        (WINDOW_ANGLE, 0.62, 1.3, 2.7),
    ] {
        let frame = at_wall(angle, middle);
        for side in [-half, half] {
            let post = Transform::from_xyz(side, (bottom + top) / 2.0, 0.0);
            let size = Cuboid::new(0.12, top - bottom, WALL + 0.08);
            commands.spawn(make.shape(size, DARK_WOOD, frame * post));
        }
        let beam = Transform::from_xyz(0.0, top, 0.0);
        commands.spawn(make.shape(
            Cuboid::new(half * 2.0 + 0.2, 0.14, WALL + 0.08),
            DARK_WOOD,
            frame * beam,
        ));
    }
    let window = at_wall(WINDOW_ANGLE, middle);
    for bar in [Cuboid::new(1.2, 0.05, 0.06), Cuboid::new(0.05, 1.4, 0.06)] {
        commands.spawn(make.shape(bar, DARK_WOOD, window * Transform::from_xyz(0.0, 2.0, 0.0)));
    }
    let sill = Transform::from_xyz(0.0, 1.32, 0.12);
    commands.spawn(make.shape(Cuboid::new(1.4, 0.08, 0.5), DARK_WOOD, window * sill));
    let pane = make.shape(
        Cuboid::new(1.2, 1.4, 0.02),
        Paint::Glass(Color::srgba(0.45, 0.60, 1.0, 0.16)),
        window * Transform::from_xyz(0.0, 2.0, 0.0),
    );
    commands.spawn((pane, NotShadowCaster));
    // Beams from wall to wall, for the lantern to hang on.
    for z in [-2.6, -0.9] {
        commands.spawn(make.block(
            vec3(8.6, 0.2, 0.22),
            planks(4.0, 0.3),
            vec3(0.0, HIGH - 0.1, z),
        ));
    }
}

fn floor(commands: &mut Commands, make: &mut Shapes) {
    let flags = Paint::Textured(
        Texture::Stone,
        Vec2::splat(3.0),
        Color::srgb(0.60, 0.56, 0.54),
    );
    commands.spawn(make.pillar(RADIUS + WALL, 0.5, flags, vec3(0.0, -0.25, 0.0)));
    // The step before the door.
    let step = at_wall(DOOR_ANGLE, RADIUS + WALL + 0.35) * Transform::from_xyz(0.0, -0.13, 0.0);
    commands.spawn(make.shape(Cuboid::new(1.6, 0.26, 1.0), stone(1.0, 0.3), step));
    let rug = Paint::Textured(Texture::Rug, Vec2::ONE, Color::WHITE);
    commands.spawn(make.pillar(1.75, 0.03, rug, vec3(-0.4, 0.015, 0.1)));
}

fn hearth(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(150.0, RADIUS - 0.35);
    let mut part = |size: Vec3, paint: Paint, at: Vec3| {
        let at = place * Transform::from_translation(at);
        commands.spawn(make.shape(Cuboid::from_size(size), paint, at));
    };
    // Two pillars, a mantel, a chimney, and soot at the back.
    for side in [-1.0, 1.0] {
        part(
            vec3(0.36, 1.7, 0.8),
            stone(0.3, 1.3),
            vec3(0.95 * side, 0.85, 0.0),
        );
    }
    part(
        vec3(2.5, 0.26, 0.95),
        planks(1.0, 0.2),
        vec3(0.0, 1.8, 0.05),
    );
    part(vec3(1.7, 2.1, 0.6), stone(1.3, 1.7), vec3(0.0, 2.95, -0.1));
    part(
        vec3(1.6, 1.7, 0.1),
        Color::srgb(0.07, 0.06, 0.06).into(),
        vec3(0.0, 0.85, -0.3),
    );
    part(vec3(2.3, 0.08, 1.2), stone(1.3, 0.6), vec3(0.0, 0.04, 0.25));
    for (x, colour) in [(-0.8, BRASS), (-0.5, LEAF), (0.75, WAX)] {
        let at = place * Transform::from_xyz(x, 2.06, 0.15);
        commands.spawn(make.shape(Cylinder::new(0.08, 0.26), colour, at));
    }
    for turn in [0.3, 1.4, 2.5] {
        let mut log = place * Transform::from_xyz(0.0, 0.16, 0.1);
        log.rotate_local(Quat::from_rotation_y(turn) * Quat::from_rotation_z(FRAC_PI_2));
        commands.spawn(make.shape(Cylinder::new(0.08, 0.8), DARK_WOOD, log));
    }
    // Flames: one after another, each in its own measure.
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

/// Where the hook is on which a key hangs.
pub fn hook() -> Vec3 {
    let hook = at_wall(135.0, RADIUS - 0.12);
    hook.translation + Vec3::Y * 1.55
}

/// A hook, and the board that it is screwed on.
pub fn hang_hook(mut commands: Commands, mut make: Shapes) {
    let place = at_wall(135.0, RADIUS - 0.04);
    let board = place * Transform::from_xyz(0.0, 1.78, 0.0);
    commands.spawn(make.shape(Cuboid::new(0.5, 0.16, 0.06), planks(0.5, 0.1), board));
    let peg = place
        * Transform::from_xyz(0.0, 1.76, 0.08).with_rotation(Quat::from_rotation_x(FRAC_PI_2));
    commands.spawn(make.shape(Cylinder::new(0.025, 0.14), BRASS, peg));
}
