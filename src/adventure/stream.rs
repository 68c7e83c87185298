//! The stream: every message of an adventure, in order (contract row T1).

use super::message::Message;
use bevy::prelude::Resource;
use std::collections::BTreeSet;

/// How many messages a stage, a lorebook or a template looks back at most. So a turn costs the same however long the
/// adventure has lasted.
pub const TAIL: usize = 2_000;

/// All messages of the adventure. It only grows; a turn that fails adds nothing.
#[derive(Resource, Debug, Clone, Default)]
pub struct Stream {
    messages: Vec<Message>,
    turns: u64,
    /// The numbers of the turns that were taken back.
    retracted: BTreeSet<u64>,
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

    /// The same without those of turns that were taken back.
    pub fn live_tail(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.tail().iter().filter(|message| self.is_live(message))
    }

    /// Whether a message counts: its turn was not taken back.
    #[must_use]
    pub fn is_live(&self, message: &Message) -> bool {
        !self.retracted.contains(&message.turn_id)
    }

    /// Whether a turn counts: it was not taken back.
    #[must_use]
    pub fn is_live_turn(&self, turn_id: u64) -> bool {
        !self.retracted.contains(&turn_id)
    }

    /// The numbers of the turns that were taken back.
    pub(super) fn retracted(&self) -> &BTreeSet<u64> {
        &self.retracted
    }

    /// Adds a message that was kept.
    pub(super) fn put(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Goes on after so many turns, of which these were taken back.
    pub(super) fn go_on_from(&mut self, turns: u64, retracted: BTreeSet<u64>) {
        self.turns = turns;
        self.retracted = retracted;
    }

    /// Takes a turn back: its messages stay, and count no more.
    pub(super) fn retract(&mut self, turn_id: u64) {
        self.retracted.insert(turn_id);
    }

    /// Lets a turn count again.
    pub(super) fn restore(&mut self, turn_id: u64) {
        self.retracted.remove(&turn_id);
    }

    /// How many turns were committed; the next one has the following number.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Adds the messages of a turn that is committed.
    pub(crate) fn commit(&mut self, turn_id: u64, messages: Vec<Message>) {
        self.turns = self.turns.max(turn_id);
        self.messages.extend(messages);
    }
}
