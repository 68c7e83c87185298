//! The frames of door and window, and what is in the window.

use super::{DOOR_HIGH, WINDOW_ANGLE};
use crate::looks::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall};
use crate::looks::shapes::*;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

/// Builds them.
pub(super) fn build(commands: &mut Commands, make: &mut Shapes) {
    let middle = RADIUS + WALL / 2.0;
    for (angle, half, bottom, top) in [
        (DOOR_ANGLE, 0.68, 0.0, DOOR_HIGH),
        (WINDOW_ANGLE, 0.62, 1.3, 2.7),
    ] {
        let frame = at_wall(angle, middle);
        for side in [-half, half] {
            let post = Transform::from_xyz(side, (bottom + top) / 2.0, 0.0);
            let size = Cuboid::new(0.12, top - bottom, WALL + 0.08);
            commands.spawn(make.shape(size, DARK_WOOD, frame * post));
        }
        let beam = Transform::from_xyz(0.0, top, 0.0);
        commands.spawn(make.shape(
            Cuboid::new(half * 2.0 + 0.2, 0.14, WALL + 0.08),
            DARK_WOOD,
            frame * beam,
        ));
    }
    let window = at_wall(WINDOW_ANGLE, middle);
    for bar in [Cuboid::new(1.2, 0.05, 0.06), Cuboid::new(0.05, 1.4, 0.06)] {
        commands.spawn(make.shape(bar, DARK_WOOD, window * Transform::from_xyz(0.0, 2.0, 0.0)));
    }
    let sill = Transform::from_xyz(0.0, 1.32, 0.12);
    commands.spawn(make.shape(Cuboid::new(1.4, 0.08, 0.5), DARK_WOOD, window * sill));
    let pane = make.shape(
        Cuboid::new(1.2, 1.4, 0.02),
        Paint::Glass(Color::srgba(0.45, 0.60, 1.0, 0.16)),
        window * Transform::from_xyz(0.0, 2.0, 0.0),
    );
    commands.spawn((pane, NotShadowCaster));
}
