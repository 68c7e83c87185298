//! The cat.

use crate::looks::shapes::*;
use bevy::prelude::*;

/// It lies by the fire, and has seen everything.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
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
