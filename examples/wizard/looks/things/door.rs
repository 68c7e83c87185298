//! The door, and its bar.

use super::swing::{Bar, Hinge, UPRIGHT};
use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    let hinge = Hinge {
        of,
        closed: Quat::IDENTITY,
        open: Quat::from_rotation_y(-1.8),
    };
    let at = Transform::from_xyz(-0.64, 0.0, 0.0);
    let mut leaf = commands.spawn((hinge, at, Visibility::default(), ChildOf(of)));
    leaf.with_child(make.block(
        vec3(1.28, 2.42, 0.12),
        planks(1.0, 1.0),
        vec3(0.64, 1.22, 0.0),
    ));
    for y in [0.45, 1.25, 2.05] {
        leaf.with_child(make.block(vec3(1.22, 0.11, 0.16), DARK_IRON, vec3(0.64, y, 0.0)));
    }
    for side in [-0.12, 0.12] {
        leaf.with_child(make.ball(0.07, BRASS, vec3(1.14, 1.05, side)));
    }
    let bar = Transform::from_xyz(-0.72, 0.95, 0.30).with_rotation(UPRIGHT);
    let mut bar = commands.spawn((Bar { of }, bar, Visibility::default(), ChildOf(of)));
    bar.with_child(make.block(vec3(1.6, 0.15, 0.1), DARK_WOOD, vec3(0.78, 0.0, 0.0)));
}
