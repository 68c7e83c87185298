//! One fir in the yard, and a dark wood all round.

use crate::looks::floor::around;
use crate::looks::shapes::*;
use crate::looks::textures::chance;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
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
