//! What the characters wear: bodies of simple shapes, with the parts that `figures.rs` moves.

use super::figures::{Figure, Orb};
use super::shapes::*;
use bevy::prelude::*;
use std::f32::consts::PI;

/// What a character wears.
#[derive(Clone, Copy, PartialEq)]
pub enum Dress {
    Wizard,
    Gardener,
    Traveller,
}

impl Dress {
    fn cloth(self) -> Color {
        match self {
            Self::Wizard => Color::srgb(0.24, 0.20, 0.56),
            Self::Gardener => Color::srgb(0.62, 0.38, 0.16),
            Self::Traveller => Color::srgb(0.18, 0.42, 0.28),
        }
    }
}

const SKIN: Color = Color::srgb(0.85, 0.66, 0.52);
const BEARD: Color = Color::srgb(0.88, 0.88, 0.86);

/// Gives a character a body.
pub fn dress(commands: &mut Commands, make: &mut Shapes, whom: Entity, dress: Dress) {
    let cloth = dress.cloth();
    let part = |commands: &mut Commands, of: Entity, at: Transform| {
        commands
            .spawn((at, Visibility::default(), ChildOf(of)))
            .id()
    };
    let body = part(commands, whom, Transform::default());
    let head = part(commands, body, Transform::from_xyz(0.0, 1.55, 0.0));
    let robe = ConicalFrustum {
        radius_top: 0.16,
        radius_bottom: 0.58,
        height: 1.5,
    };
    let hem = ConicalFrustum {
        radius_top: 0.555,
        radius_bottom: 0.59,
        height: 0.12,
    };
    let trim = if dress == Dress::Wizard {
        BRASS
    } else {
        DARK_WOOD
    };
    let belt = ConicalFrustum {
        radius_top: 0.345,
        radius_bottom: 0.375,
        height: 0.09,
    };
    commands.spawn((
        make.shape(robe, cloth, Transform::from_xyz(0.0, 0.76, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((
        make.shape(hem, trim, Transform::from_xyz(0.0, 0.08, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((
        make.shape(belt, trim, Transform::from_xyz(0.0, 0.86, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((make.ball(0.24, cloth, vec3(0.0, 1.42, 0.0)), ChildOf(body)));

    commands.spawn((make.ball(0.26, SKIN, vec3(0.0, 0.19, 0.0)), ChildOf(head)));
    commands.spawn((make.ball(0.06, SKIN, vec3(0.0, 0.15, 0.26)), ChildOf(head)));
    for side in [-0.09, 0.09] {
        commands.spawn((
            make.ball(0.036, Color::BLACK, vec3(side, 0.22, 0.23)),
            ChildOf(head),
        ));
    }
    let arms = [-1.0, 1.0f32].map(|side| {
        let arm = part(commands, body, Transform::from_xyz(0.22 * side, 1.40, 0.02));
        let sleeve = ConicalFrustum {
            radius_top: 0.09,
            radius_bottom: 0.16,
            height: 0.62,
        };
        commands.spawn((
            make.shape(sleeve, cloth, Transform::from_xyz(0.0, -0.31, 0.0)),
            ChildOf(arm),
        ));
        commands.spawn((make.ball(0.09, SKIN, vec3(0.0, -0.66, 0.0)), ChildOf(arm)));
        arm
    });
    match dress {
        Dress::Wizard => {
            hat(commands, make, head, cloth);
            beard(commands, make, head);
            staff(commands, make, whom, arms[0]);
        }
        Dress::Gardener => straw_hat(commands, make, head),
        Dress::Traveller => hood(commands, make, head, body, cloth),
    }
    let phase = if dress == Dress::Wizard { 0.0 } else { 2.0 };
    let figure = Figure::new(body, head, arms, phase);
    commands.entity(whom).insert(figure);
}

fn hat(commands: &mut Commands, make: &mut Shapes, head: Entity, cloth: Color) {
    commands.spawn((
        make.pillar(0.44, 0.05, cloth, vec3(0.0, 0.38, 0.0)),
        ChildOf(head),
    ));
    let band = ConicalFrustum {
        radius_top: 0.25,
        radius_bottom: 0.27,
        height: 0.08,
    };
    commands.spawn((
        make.shape(band, BRASS, Transform::from_xyz(0.0, 0.44, 0.0)),
        ChildOf(head),
    ));
    commands.spawn((
        make.cone(0.27, 0.55, cloth, vec3(0.0, 0.68, 0.0)),
        ChildOf(head),
    ));
    let mut tip = Transform::from_xyz(0.0, 0.98, -0.07);
    tip.rotate_x(-0.6);
    commands.spawn((make.shape(Cone::new(0.10, 0.32), cloth, tip), ChildOf(head)));
}

fn beard(commands: &mut Commands, make: &mut Shapes, head: Entity) {
    let mut beard = Transform::from_xyz(0.0, -0.16, 0.17);
    beard.rotate_x(PI - 0.15);
    commands.spawn((
        make.shape(Cone::new(0.19, 0.62), BEARD, beard),
        ChildOf(head),
    ));
    for side in [-1.0, 1.0f32] {
        let mut hair = Transform::from_xyz(0.08 * side, 0.09, 0.26);
        hair.rotate_z(1.2 * side);
        commands.spawn((
            make.shape(Capsule3d::new(0.035, 0.12), BEARD, hair),
            ChildOf(head),
        ));
        let mut brow = Transform::from_xyz(0.10 * side, 0.30, 0.22);
        brow.rotate_z(1.45 * side);
        commands.spawn((
            make.shape(Capsule3d::new(0.025, 0.07), BEARD, brow),
            ChildOf(head),
        ));
    }
}

fn staff(commands: &mut Commands, make: &mut Shapes, whom: Entity, arm: Entity) {
    commands.spawn((
        make.pillar(0.035, 2.1, DARK_WOOD, vec3(-0.04, -0.36, 0.10)),
        ChildOf(arm),
    ));
    let orb = make.ball(
        0.12,
        Paint::Glow(Color::srgb(0.45, 0.85, 0.95), 2.5),
        vec3(-0.04, 0.78, 0.10),
    );
    commands.spawn((orb, Orb(whom), ChildOf(arm)));
}

fn straw_hat(commands: &mut Commands, make: &mut Shapes, head: Entity) {
    let straw = Color::srgb(0.82, 0.68, 0.36);
    commands.spawn((
        make.pillar(0.48, 0.04, straw, vec3(0.0, 0.36, 0.0)),
        ChildOf(head),
    ));
    let crown = ConicalFrustum {
        radius_top: 0.19,
        radius_bottom: 0.25,
        height: 0.2,
    };
    commands.spawn((
        make.shape(crown, straw, Transform::from_xyz(0.0, 0.46, 0.0)),
        ChildOf(head),
    ));
    commands.spawn((
        make.pillar(
            0.245,
            0.05,
            Color::srgb(0.55, 0.16, 0.14),
            vec3(0.0, 0.40, 0.0),
        ),
        ChildOf(head),
    ));
    // Her hair, in a plait.
    let hair = Color::srgb(0.40, 0.20, 0.10);
    commands.spawn((
        make.ball(0.265, hair, vec3(0.0, 0.22, -0.05)),
        ChildOf(head),
    ));
    for bead in 0..4u8 {
        let down = f32::from(bead) * 0.13;
        commands.spawn((
            make.ball(
                0.085 - 0.01 * f32::from(bead),
                hair,
                vec3(0.14, 0.02 - down, -0.22),
            ),
            ChildOf(head),
        ));
    }
}

fn hood(commands: &mut Commands, make: &mut Shapes, head: Entity, body: Entity, cloth: Color) {
    commands.spawn((
        make.ball(0.30, cloth, vec3(0.0, 0.24, -0.07)),
        ChildOf(head),
    ));
    let mut tip = Transform::from_xyz(0.0, 0.36, -0.30);
    tip.rotate_x(-1.9);
    commands.spawn((make.shape(Cone::new(0.17, 0.34), cloth, tip), ChildOf(head)));
    // A bag for the road.
    commands.spawn((
        make.block(
            vec3(0.34, 0.40, 0.18),
            Color::srgb(0.40, 0.27, 0.15),
            vec3(0.0, 1.05, -0.36),
        ),
        ChildOf(body),
    ));
    let mut roll = Transform::from_xyz(0.0, 1.33, -0.36);
    roll.rotate_z(PI / 2.0);
    let blanket = Color::srgb(0.55, 0.48, 0.36);
    commands.spawn((
        make.shape(Cylinder::new(0.09, 0.48), blanket, roll),
        ChildOf(body),
    ));
}
