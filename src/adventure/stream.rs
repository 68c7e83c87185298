//! The stream: every message of an adventure, in order (contract row T1).

use super::message::Message;
use bevy::prelude::Resource;

/// How many messages a stage, a lorebook or a template looks back at most. So a turn costs the same however long the
/// adventure has lasted.
pub const TAIL: usize = 2_000;

/// All messages of the adventure. It only grows; a turn that fails adds nothing.
#[derive(Resource, Debug, Clone, Default)]
pub struct Stream {
    messages: Vec<Message>,
    turns: u64,
}

impl Stream {
    /// All messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The last messages, at most [`TAIL`], oldest first.
    #[must_use]
    pub fn tail(&self) -> &[Message] {
        &self.messages[self.messages.len().saturating_sub(TAIL)..]
    }

    /// How many turns were committed; the next one has the following number.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Adds the messages of a turn that is committed.
    pub(super) fn commit(&mut self, turn_id: u64, messages: Vec<Message>) {
        self.turns = self.turns.max(turn_id);
        self.messages.extend(messages);
    }
}
