//! Events about loads.

use bevy::prelude::*;
use std::path::PathBuf;

/// Adds these events as messages.
pub(crate) fn add_messages(app: &mut App) {
    app.add_message::<GameLoaded>();
}

/// A game was loaded: the whole judged world and every mind are now as in the save. The game must update its other data itself,
/// including resources that are bound as world facts.
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameLoaded {
    /// The path of the save file; empty where a recording was loaded.
    pub path: PathBuf,
    /// How many records the save or the recording holds.
    pub records: u64,
}
