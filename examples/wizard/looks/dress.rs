//! What the characters wear: bodies of simple shapes, with the parts that `figures.rs` moves.

mod body;
mod gardener;
mod traveller;
mod wizard;

use super::figures::Figure;
use super::shapes::Shapes;
use bevy::prelude::*;

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
    body::robe(&mut commands.entity(body), make, dress);
    body::face(&mut commands.entity(head), make);
    let arms = [-1.0, 1.0f32].map(|side| {
        let arm = part(commands, body, Transform::from_xyz(0.22 * side, 1.40, 0.02));
        body::sleeve(&mut commands.entity(arm), make, cloth);
        arm
    });
    match dress {
        Dress::Wizard => {
            wizard::hat(&mut commands.entity(head), make, cloth);
            wizard::beard(&mut commands.entity(head), make);
            wizard::staff(&mut commands.entity(arms[0]), make, whom);
        }
        Dress::Gardener => gardener::straw_hat(&mut commands.entity(head), make),
        Dress::Traveller => {
            traveller::hood(&mut commands.entity(head), make, cloth);
            traveller::bag(&mut commands.entity(body), make);
        }
    }
    let phase = if dress == Dress::Wizard { 0.0 } else { 2.0 };
    let figure = Figure::new(body, head, arms, phase);
    commands.entity(whom).insert(figure);
}
