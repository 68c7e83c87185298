//! The story says what exists. What gets an id that is known here gets a shape.

use super::carry::carried;
use super::{chest, door, herb, key, people};
use crate::cast::{GARDENER, PLAYER, WIZARD};
use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use crate::looks::furniture::cauldron;
use crate::looks::shapes::*;
use crate::looks::tower::HEARTH;
use crate::looks::tower::hook::hook;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// Gives a thing its shape.
pub(super) fn give_shape(
    added: On<Add, WorldId>,
    ids: Query<&WorldId>,
    mut commands: Commands,
    mut make: Shapes,
) {
    let entity = added.entity;
    let Ok(WorldId(id)) = ids.get(entity) else {
        return;
    };
    let (commands, make) = (&mut commands, &mut make);
    match id.as_str() {
        WIZARD => people::wizard(commands, make, entity),
        GARDENER => people::gardener(commands, make, entity),
        PLAYER => people::traveller(commands, make, entity),
        "door_1" => {
            place(commands, entity, at_wall(DOOR_ANGLE, RADIUS + WALL / 2.0));
            door::build(commands, make, entity);
        }
        "chest_1" => {
            place(commands, entity, at_wall(66.0, RADIUS - 0.75));
            chest::build(commands, make, entity);
        }
        "cauldron_1" => {
            let at = Transform::from_translation(HEARTH + vec3(0.55, 0.0, 0.40));
            place(commands, entity, at);
            cauldron(commands, make, entity);
        }
        "key_1" => {
            place(commands, entity, Transform::from_xyz(-0.6, 1.0, 0.6));
            carried(commands, entity, vec3(0.50, 0.72, 0.30));
            key::build(commands, make, entity, BRASS);
        }
        "key_2" => {
            let turn = Quat::from_rotation_y(0.8);
            place(
                commands,
                entity,
                Transform::from_translation(hook()).with_rotation(turn),
            );
            carried(commands, entity, vec3(-0.48, 0.72, 0.32));
            key::build(commands, make, entity, IRON);
        }
        "herb_1" => {
            place(commands, entity, Transform::from_xyz(-3.15, 0.92, 0.62));
            carried(commands, entity, vec3(0.30, 0.86, 0.42));
            let flower = Paint::Glow(Color::srgb(0.70, 0.85, 1.0), 1.5);
            herb::build(commands, make, entity, flower);
        }
        "herb_2" => {
            place(commands, entity, Transform::from_xyz(-2.85, 0.92, 1.05));
            carried(commands, entity, vec3(-0.26, 0.86, 0.44));
            let flower = Color::srgb(0.50, 0.20, 0.60).into();
            herb::build(commands, make, entity, flower);
        }
        _ => {}
    }
}

/// Gives a thing its place.
pub(super) fn place(commands: &mut Commands, thing: Entity, at: Transform) {
    commands.entity(thing).insert((at, Visibility::default()));
}
