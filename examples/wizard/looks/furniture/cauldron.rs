//! The cauldron over the fire.

use crate::looks::effects::{Brew, Bubble};
use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

/// What bubbles in the cauldron: it belongs to the thing of the story, and is made with it.
pub fn cauldron(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    let mut cauldron = commands.entity(of);
    let iron = make.shape(
        Sphere::new(0.46).mesh().uv(16, 10),
        DARK_IRON,
        Transform::from_xyz(0.0, 0.62, 0.0).with_scale(vec3(1.0, 0.85, 1.0)),
    );
    cauldron.with_child(iron);
    let rim = make.shape(
        Torus::new(0.34, 0.44),
        IRON,
        Transform::from_xyz(0.0, 0.88, 0.0),
    );
    cauldron.with_child(rim);
    for turn in [0.4, 2.5, 4.6f32] {
        let foot = vec3(0.34 * turn.cos(), 0.16, 0.34 * turn.sin());
        cauldron.with_child(make.pillar(0.05, 0.34, DARK_IRON, foot));
    }
    let raw = Paint::Glow(Color::srgb(0.25, 0.75, 0.45), 0.7);
    let brew = Brew {
        of,
        raw: make.material(raw),
        potion: make.material(Paint::Glow(Color::srgb(0.95, 0.75, 0.25), 1.1)),
    };
    let shape = make.pillar(0.37, 0.04, raw, Vec3::Y * 0.90);
    cauldron.with_child((shape, brew, NotShadowCaster));
    for index in 0..10u8 {
        let turn = f32::from(index) * 2.4;
        let far = 0.06 + 0.024 * f32::from(index);
        let at = vec3(far * turn.cos(), 0.92, far * turn.sin());
        let bubble = make.ball(0.06, Paint::Glow(Color::srgb(0.35, 0.95, 0.55), 1.4), at);
        cauldron.with_child((
            bubble,
            Bubble::new(f32::from(index) * 0.37),
            NotShadowCaster,
        ));
    }
}
