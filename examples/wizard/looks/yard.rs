//! Outside: grass, a path, a well, herbs, trees, the broken bell.

mod bell;
mod fence;
mod herbs;
mod path;
mod torch;
mod trees;
mod well;

use super::shapes::*;
use bevy::prelude::*;

/// Builds the yard.
pub fn build(mut commands: Commands, mut make: Shapes) {
    let grass = Paint::Textured(Texture::Grass, Vec2::splat(14.0), Color::WHITE);
    commands.spawn(make.pillar(46.0, 0.2, grass, vec3(4.0, -0.35, 0.0)));
    path::build(&mut commands, &mut make);
    well::build(&mut commands, &mut make);
    herbs::build(&mut commands, &mut make);
    bell::build(&mut commands, &mut make);
    fence::build(&mut commands, &mut make);
    trees::build(&mut commands, &mut make);
    torch::build(&mut commands, &mut make);
}
