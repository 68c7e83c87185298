//! A herb.

use crate::looks::shapes::*;
use bevy::prelude::*;

/// A small bundle with its flowers.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes, of: Entity, flower: Paint) {
    let mut herb = commands.entity(of);
    for (turn, lean) in [(0.0, 0.25), (2.1, 0.3), (4.2, 0.28)] {
        let stem = Quat::from_rotation_y(turn) * Quat::from_rotation_z(lean);
        let at = Transform::from_rotation(stem) * Transform::from_xyz(0.0, 0.13, 0.0);
        herb.with_child(make.shape(Cone::new(0.05, 0.26), LEAF, at));
        let top = at * Transform::from_xyz(0.0, 0.14, 0.0);
        herb.with_child(make.shape(Sphere::new(0.045).mesh().uv(16, 10), flower, top));
    }
}
