//! A torch by the door, outside.

use crate::looks::effects::Flicker;
use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let place = at_wall(DOOR_ANGLE + 13.0, RADIUS + WALL + 0.1);
    let stick =
        place * Transform::from_xyz(0.0, 1.7, -0.08).with_rotation(Quat::from_rotation_x(-0.35));
    commands.spawn(make.shape(Cylinder::new(0.05, 0.7), DARK_WOOD, stick));
    let flame = place * Transform::from_xyz(0.0, 2.18, -0.24);
    let fire = make.shape(Cone::new(0.10, 0.34), Paint::Glow(FIRE, 6.0), flame);
    commands.spawn((fire, Flicker::flame(2.1), NotShadowCaster));
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.62, 0.30),
            intensity: 260_000.0,
            range: 11.0,
            ..default()
        },
        flame * Transform::from_xyz(0.0, 0.2, -0.35),
        Flicker::light(260_000.0),
    ));
}
