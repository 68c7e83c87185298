//! The furniture of the room: shelf, table, the chair by the window, the lantern, the cat, and the cauldron over the fire.

mod cat;
mod cauldron;
mod lantern;
mod shelf;
mod table;
mod window_seat;

pub use cauldron::cauldron;

use super::shapes::Shapes;
use bevy::prelude::*;

/// Furnishes the room.
pub fn build(mut commands: Commands, mut make: Shapes) {
    shelf::build(&mut commands, &mut make);
    table::build(&mut commands, &mut make);
    window_seat::build_chair(&mut commands, &mut make);
    window_seat::build_telescope(&mut commands, &mut make);
    lantern::build(&mut commands, &mut make);
    cat::build(&mut commands, &mut make);
}
