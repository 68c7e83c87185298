//! The furniture of the room: shelf, table, the chair by the window, the lantern, the cat, and the cauldron over the fire.

use super::effects::{Brew, Bubble, Flicker};
use super::floor::{RADIUS, at_wall};
use super::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use std::f32::consts::TAU;

/// Furnishes the room.
pub fn build(mut commands: Commands, mut make: Shapes) {
    shelf(&mut commands, &mut make);
    table(&mut commands, &mut make);
    window_seat(&mut commands, &mut make);
    lantern(&mut commands, &mut make);
    cat(&mut commands, &mut make);
}

fn shelf(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(116.0, RADIUS - 0.28);
    let mut part = |size: Vec3, paint: Paint, at: Transform| {
        commands.spawn(make.shape(Cuboid::from_size(size), paint, place * at));
    };
    let wood = || planks(0.4, 1.0);
    for side in [-0.95, 0.95] {
        part(
            vec3(0.08, 2.6, 0.46),
            wood(),
            Transform::from_xyz(side, 1.3, 0.0),
        );
    }
    for board in 0..4u8 {
        let at = Transform::from_xyz(0.0, 0.12 + f32::from(board) * 0.8, 0.0);
        part(vec3(1.9, 0.07, 0.46), planks(1.0, 0.1), at);
    }
    part(
        vec3(1.9, 2.6, 0.04),
        DARK_WOOD.into(),
        Transform::from_xyz(0.0, 1.3, -0.2),
    );
    for book in 0..24u8 {
        let (row, column) = (book / 8, book % 8);
        // Every row has a gap, and next to it a book that leans.
        if column == row * 2 + 1 {
            continue;
        }
        let hue = f32::from(book) * 47.0 % 360.0;
        let high = 0.42 + 0.07 * f32::from(book * 5 % 4);
        let lean = if column == row * 2 + 2 { 0.22 } else { 0.0 };
        let at = Transform::from_xyz(
            -0.80 + f32::from(column) * 0.225,
            0.16 + f32::from(row) * 0.8 + high / 2.0,
            0.04,
        )
        .with_rotation(Quat::from_rotation_z(lean));
        part(
            vec3(0.15, high, 0.30),
            Color::hsl(hue, 0.40, 0.30).into(),
            at,
        );
    }
    // On top: a skull would be too much, so a globe.
    let globe = place * Transform::from_xyz(-0.5, 2.86, 0.0);
    commands.spawn(make.shape(
        Sphere::new(0.2).mesh().uv(16, 10),
        Color::srgb(0.20, 0.36, 0.48),
        globe,
    ));
    let ring = globe * Transform::from_rotation(Quat::from_rotation_x(1.2));
    commands.spawn(make.shape(Torus::new(0.21, 0.25), BRASS, ring));
}

fn table(commands: &mut Commands, make: &mut Shapes) {
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

/// Morwen's chair by the window, which must stay empty, and a telescope that looks out of it.
fn window_seat(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(50.0, RADIUS - 0.85);
    let mut part = |size: Vec3, at: Vec3| {
        let at = place * Transform::from_translation(at);
        commands.spawn(make.shape(Cuboid::from_size(size), planks(0.4, 0.4), at));
    };
    part(vec3(0.62, 0.08, 0.58), vec3(0.0, 0.48, 0.0));
    part(vec3(0.62, 0.85, 0.08), vec3(0.0, 0.9, -0.28));
    for (x, z) in [(-0.26, -0.24), (0.26, -0.24), (-0.26, 0.24), (0.26, 0.24)] {
        part(vec3(0.07, 0.48, 0.07), vec3(x, 0.24, z));
    }
    let cushion = place * Transform::from_xyz(0.0, 0.55, 0.03);
    commands.spawn(make.shape(
        Cuboid::new(0.5, 0.08, 0.46),
        Color::srgb(0.42, 0.12, 0.16),
        cushion,
    ));

    let stand = at_wall(88.0, RADIUS - 0.8);
    for turn in [0.0, TAU / 3.0, 2.0 * TAU / 3.0] {
        let leg = stand
            * Transform::from_rotation(Quat::from_rotation_y(turn) * Quat::from_rotation_z(0.28))
            * Transform::from_xyz(0.0, 0.62, 0.0);
        commands.spawn(make.shape(Cylinder::new(0.03, 1.2), DARK_WOOD, leg));
    }
    let tube = stand
        * Transform::from_xyz(0.0, 1.32, 0.0)
        * Transform::from_rotation(Quat::from_rotation_y(-0.4) * Quat::from_rotation_x(-1.05));
    commands.spawn(make.shape(Cylinder::new(0.09, 1.0), BRASS, tube));
    for (along, wide) in [(0.5, 0.12), (-0.5, 0.10), (0.0, 0.105)] {
        let ring = tube * Transform::from_xyz(0.0, along, 0.0);
        commands.spawn(make.shape(Cylinder::new(wide, 0.06), DARK_WOOD, ring));
    }
}

fn lantern(commands: &mut Commands, make: &mut Shapes) {
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

/// It lies by the fire, and has seen everything.
fn cat(commands: &mut Commands, make: &mut Shapes) {
    let fur = Color::srgb(0.13, 0.12, 0.13);
    let place = Transform::from_xyz(-2.15, 0.0, -1.1).with_rotation(Quat::from_rotation_y(0.7));
    let mut part = |radius: f32, scale: Vec3, at: Vec3| {
        let at = place * Transform::from_translation(at).with_scale(scale);
        commands
            .spawn(make.shape(Sphere::new(radius).mesh().uv(16, 10), fur, at))
            .id()
    };
    part(0.24, vec3(1.35, 0.75, 1.0), vec3(0.0, 0.16, 0.0));
    part(0.14, vec3(1.0, 0.9, 1.0), vec3(0.30, 0.16, 0.12));
    part(0.07, vec3(4.0, 0.7, 0.8), vec3(-0.12, 0.06, 0.24));
    for side in [0.06, 0.19] {
        let ear = place * Transform::from_xyz(0.32, 0.30, side);
        commands.spawn(make.shape(Cone::new(0.05, 0.11), fur, ear));
    }
}

/// What bubbles in the cauldron: it belongs to the thing of the story, and is made with it.
pub fn cauldron(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    let iron = make.shape(
        Sphere::new(0.46).mesh().uv(16, 10),
        DARK_IRON,
        Transform::from_xyz(0.0, 0.62, 0.0).with_scale(vec3(1.0, 0.85, 1.0)),
    );
    commands.spawn((iron, ChildOf(of)));
    let rim = make.shape(
        Torus::new(0.34, 0.44),
        IRON,
        Transform::from_xyz(0.0, 0.88, 0.0),
    );
    commands.spawn((rim, ChildOf(of)));
    for turn in [0.4, 2.5, 4.6f32] {
        let foot = vec3(0.34 * turn.cos(), 0.16, 0.34 * turn.sin());
        commands.spawn((make.pillar(0.05, 0.34, DARK_IRON, foot), ChildOf(of)));
    }
    let raw = Paint::Glow(Color::srgb(0.25, 0.75, 0.45), 0.7);
    let brew = Brew {
        of,
        raw: make.material(raw),
        potion: make.material(Paint::Glow(Color::srgb(0.95, 0.75, 0.25), 1.1)),
    };
    let shape = make.pillar(0.37, 0.04, raw, Vec3::Y * 0.90);
    commands.spawn((shape, brew, ChildOf(of), NotShadowCaster));
    for index in 0..10u8 {
        let turn = f32::from(index) * 2.4;
        let far = 0.06 + 0.024 * f32::from(index);
        let at = vec3(far * turn.cos(), 0.92, far * turn.sin());
        let bubble = make.ball(0.06, Paint::Glow(Color::srgb(0.35, 0.95, 0.55), 1.4), at);
        commands.spawn((
            bubble,
            Bubble::new(f32::from(index) * 0.37),
            ChildOf(of),
            NotShadowCaster,
        ));
    }
}
