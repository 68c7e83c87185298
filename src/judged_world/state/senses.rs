//! Senses: attributes of an actor that say what it cannot perceive or do.

use super::value::WorldValue;
use crate::judged_world::state::WorldRead;

/// What an actor lacks: its attributes `deaf`, `mute`, `blind` and `invisible`, where they are true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Senses {
    /// It hears nothing that others say.
    pub deaf: bool,
    /// It says nothing aloud.
    pub mute: bool,
    /// It sees only what it carries and the character that speaks to it.
    pub blind: bool,
    /// No one sees it.
    pub invisible: bool,
}

impl Senses {
    /// Those of an actor; all there for one that does not exist.
    #[must_use]
    pub fn of(world: &dyn WorldRead, actor: &str) -> Self {
        let lacks = |name| world.attribute(actor, name) == Some(WorldValue::Bool(true));
        Self {
            deaf: lacks("deaf"),
            mute: lacks("mute"),
            blind: lacks("blind"),
            invisible: lacks("invisible"),
        }
    }
}
