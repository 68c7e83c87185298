//! The rain.

use super::pieces::rain;
use crate::looks::effects::Rain;
use crate::looks::shapes::Shapes;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let drops = make.own_mesh(rain());
    let look = make.own_material(StandardMaterial {
        base_color: Color::srgba(0.65, 0.75, 1.0, 0.20),
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        cull_mode: None,
        ..default()
    });
    for above in [0.0, 1.0] {
        commands.spawn((
            drops.clone(),
            look.clone(),
            Transform::default(),
            Rain { above },
            NotShadowCaster,
        ));
    }
}
