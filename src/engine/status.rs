//! Whether an engine can be asked now.

use bevy::reflect::Reflect;
use std::fmt;

/// Whether an engine can be asked. While it cannot, no call is made, and authored lines come at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Reflect)]
pub enum EngineStatus {
    /// It can be asked.
    #[default]
    Ready,
    /// It cannot be asked yet. The text says what it is doing, for people.
    Starting(String),
    /// It cannot be asked any more. The text says why, for people.
    Down(String),
}

impl EngineStatus {
    /// Why it cannot be asked; `None` when it can.
    #[must_use]
    pub fn hindrance(&self) -> Option<&str> {
        match self {
            Self::Ready => None,
            Self::Starting(why) | Self::Down(why) => Some(why),
        }
    }
}

impl fmt::Display for EngineStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.hindrance().unwrap_or("it is ready"))
    }
}
