//! The fence.

use crate::looks::shapes::*;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let mut run = |from: Vec3, to: Vec3, posts: u8| {
        let turn = Quat::from_rotation_y(-(to - from).xz().to_angle());
        for post in 0..=posts {
            let at = from.lerp(to, f32::from(post) / f32::from(posts));
            commands.spawn(make.block(vec3(0.12, 1.1, 0.12), DARK_WOOD, at + Vec3::Y * 0.3));
        }
        for high in [0.35, 0.68] {
            let at =
                Transform::from_translation((from + to) / 2.0 + Vec3::Y * high).with_rotation(turn);
            commands.spawn(make.shape(Cuboid::new(from.distance(to), 0.09, 0.05), WOOD, at));
        }
    };
    run(vec3(4.6, 0.0, -6.9), vec3(14.8, 0.0, -6.9), 7);
    run(vec3(14.8, 0.0, -6.9), vec3(14.8, 0.0, 3.4), 7);
    run(vec3(14.8, 0.0, 3.4), vec3(11.0, 0.0, 3.4), 3);
}
