//! Events about saves without a file, and about loads.

use crate::journal::Recording;
use bevy::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// The game as it was when the command [`capture_game`](crate::journal::SaveCommandsExt::capture_game) was applied. Sent at once.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct GameCaptured {
    /// The game: [`export`](crate::journal::export) writes it as bytes.
    pub recording: Arc<Recording>,
}

/// A game was loaded: the whole judged world and every mind are now as in the save. The game must update its other data itself,
/// including resources that are bound as world facts.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct GameLoaded {
    /// The path of the save file; empty where a recording was loaded.
    pub path: PathBuf,
    /// How many records the save or the recording holds.
    pub records: u64,
}
