//! A line of the log.

use bevy::prelude::*;

/// Whose words they are.
#[derive(Clone, PartialEq)]
pub enum Who {
    Player,
    /// A character, by name.
    Npc(String),
    /// It happens, and no character says it.
    Nobody,
    /// It is told.
    Narrator,
    /// Something does not work.
    Problem,
}

/// A line of the log.
pub struct Line {
    pub who: Who,
    pub text: String,
    /// The run that it came from, which the inspector can show.
    pub run: Option<Entity>,
}
