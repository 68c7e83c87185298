//! The chest, with letters in it.

use super::swing::Hinge;
use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    let mut chest = commands.entity(of);
    chest.with_child(make.block(
        vec3(1.1, 0.48, 0.66),
        planks(1.0, 0.4),
        vec3(0.0, 0.24, 0.0),
    ));
    for x in [-0.42, 0.42] {
        chest.with_child(make.block(vec3(0.1, 0.5, 0.70), DARK_IRON, vec3(x, 0.24, 0.0)));
    }
    // The letters.
    for (x, turn) in [(-0.2, 0.3), (0.05, -0.4), (0.25, 0.1)] {
        let at = Transform::from_xyz(x, 0.485, 0.05).with_rotation(Quat::from_rotation_y(turn));
        chest.with_child(make.shape(Cuboid::new(0.3, 0.012, 0.2), WAX, at));
    }
    let hinge = Hinge {
        of,
        closed: Quat::IDENTITY,
        open: Quat::from_rotation_x(-1.25),
    };
    let at = Transform::from_xyz(0.0, 0.5, -0.33);
    let mut lid = commands.spawn((hinge, at, Visibility::default(), ChildOf(of)));
    lid.with_child(make.block(
        vec3(1.14, 0.16, 0.70),
        planks(1.0, 0.2),
        vec3(0.0, 0.08, 0.33),
    ));
    for x in [-0.42, 0.42] {
        lid.with_child(make.block(vec3(0.1, 0.18, 0.74), DARK_IRON, vec3(x, 0.08, 0.33)));
    }
    lid.with_child(make.block(vec3(0.16, 0.2, 0.06), BRASS, vec3(0.0, 0.0, 0.70)));
}
