//! What moves by itself: flames, bubbles, rain, the stars.

mod brew;
mod fire;
mod night;

pub use brew::{Brew, Bubble};
pub use fire::Flicker;
pub use night::{Rain, Turning};

use bevy::prelude::*;

/// Adds what moves.
pub fn plugin(app: &mut App) {
    app.add_plugins((fire::plugin, brew::plugin, night::plugin));
}
