//! The room: a round tower, cut open towards the camera.

mod fire;
mod floor;
mod frames;
mod hearth;
pub mod hook;
mod walls;

use super::shapes::Shapes;
use bevy::prelude::*;

/// How high the wall is.
const HIGH: f32 = 3.6;
/// How high the doorway is.
const DOOR_HIGH: f32 = 2.5;
/// The piece with the window.
const WINDOW_ANGLE: f32 = 75.0;
/// Where the fire burns.
pub const HEARTH: Vec3 = vec3(-3.55, 0.0, -2.15);

/// Builds the room.
pub fn build(mut commands: Commands, mut make: Shapes) {
    walls::build(&mut commands, &mut make);
    frames::build(&mut commands, &mut make);
    walls::build_beams(&mut commands, &mut make);
    floor::build(&mut commands, &mut make);
    hearth::build(&mut commands, &mut make);
    fire::build(&mut commands, &mut make);
}
