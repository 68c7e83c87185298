//! The plugin of saves.

use crate::journal::save::ticket::register_saves;
use crate::journal::save::waiting_load::register_loads;
use bevy::prelude::*;

/// Saves and loads. Part of [`DramatisPlugins`](crate::plugin::DramatisPlugins); a game without them disables it there. A
/// [`JournalPlugin`](crate::journal::JournalPlugin) brings it along.
pub struct SavesPlugin;

impl Plugin for SavesPlugin {
    fn build(&self, app: &mut App) {
        register_saves(app);
        register_loads(app);
    }
}
