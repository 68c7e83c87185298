//! Events about the files of a game.

use crate::format::AuthoringError;
use bevy::prelude::*;

/// Everything that a game asked for is loaded: the script of the engine, the story with its world, and every character that
/// was spawned with [`Npc`](crate::npc::Npc) before. A file that failed counts as loaded; [`AuthoringFailed`] has named it.
///
/// It is sent once. Characters that are spawned later are ready when they get their
/// [`LoadedCharacter`](crate::npc::LoadedCharacter). See also the run condition
/// [`dramatis_ready`](crate::plugin::dramatis_ready).
#[derive(Event, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct DramatisReady;

/// A file could not be used. The old one stays where there is one.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct AuthoringFailed {
    /// The problem, with file, line and column.
    pub error: AuthoringError,
}
