//! The characters of the story: where each of them begins, and the usual spots.

use super::appear::place;
use crate::looks::dress::{Dress, dress};
use crate::looks::floor::on_floor;
use crate::looks::shapes::Shapes;
use crate::looks::walk::{Stands, Steered};
use bevy::prelude::*;

pub(super) fn wizard(commands: &mut Commands, make: &mut Shapes, entity: Entity) {
    let spots = Stands {
        tower: vec2(-1.5, -1.1),
        yard: vec2(7.6, -4.0),
    };
    place(commands, entity, on(spots.tower));
    commands.entity(entity).insert(spots);
    dress(commands, make, entity, Dress::Wizard);
}

pub(super) fn gardener(commands: &mut Commands, make: &mut Shapes, entity: Entity) {
    let spots = Stands {
        tower: vec2(0.2, -2.2),
        yard: vec2(9.5, -5.0),
    };
    place(commands, entity, on(spots.yard));
    commands.entity(entity).insert(spots);
    dress(commands, make, entity, Dress::Gardener);
}

pub(super) fn traveller(commands: &mut Commands, make: &mut Shapes, entity: Entity) {
    let spots = Stands {
        tower: vec2(1.5, -0.4),
        yard: vec2(7.4, -1.4),
    };
    let facing = Quat::from_rotation_y(-2.2);
    place(commands, entity, on(spots.yard).with_rotation(facing));
    commands.entity(entity).insert((Steered::default(), spots));
    dress(commands, make, entity, Dress::Traveller);
}

/// On the floor, at this spot.
fn on(spot: Vec2) -> Transform {
    Transform::from_translation(on_floor(spot))
}
