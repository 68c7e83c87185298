//! The stream: every message of an adventure, in order.

use super::message::Message;
use bevy::prelude::Resource;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The turns whose last acts were taken back, each with the first message that does not count.
    shortened: BTreeMap<u64, u32>,
}

impl Stream {
    /// All messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The last messages, at most 2,000, oldest first.
    #[must_use]
    pub fn tail(&self) -> &[Message] {
        &self.messages[self.messages.len().saturating_sub(TAIL)..]
    }

    /// The same messages without those of turns that were taken back.
    pub fn live_tail(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.tail().iter().filter(|message| self.is_live(message))
    }

    /// Whether a message counts: neither its turn nor its part of the turn was taken back.
    #[must_use]
    pub fn is_live(&self, message: &Message) -> bool {
        let shortened = self.shortened.get(&message.turn_id);
        self.is_live_turn(message.turn_id) && shortened.is_none_or(|from| message.seq < *from)
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

    /// Goes on after `turns` turns. Those in `retracted` were taken back, and those in `shortened` in part.
    pub(super) fn go_on_from(
        &mut self,
        turns: u64,
        retracted: BTreeSet<u64>,
        shortened: BTreeMap<u64, u32>,
    ) {
        self.turns = turns;
        self.retracted = retracted;
        self.shortened = shortened;
    }

    /// From which message on a turn does not count, by its number.
    pub(crate) fn shortened(&self) -> &BTreeMap<u64, u32> {
        &self.shortened
    }

    /// Takes a turn back from a message on.
    pub(super) fn shorten(&mut self, turn_id: u64, from_seq: u32) {
        self.shortened.insert(turn_id, from_seq);
    }

    /// Takes a turn back: its messages stay, and count no more.
    pub(super) fn retract(&mut self, turn_id: u64) {
        self.retracted.insert(turn_id);
    }

    /// Lets a turn count again, all of it.
    pub(super) fn restore(&mut self, turn_id: u64) {
        self.retracted.remove(&turn_id);
        self.shortened.remove(&turn_id);
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
