//! The mind of one character: all that it has for itself.

use super::{Beliefs, Episodes, Relationships};
use crate::base::ids::Id;
use bevy::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// How many exchanges are kept. More than any prompt shows, so that a cut can be listed.
pub const EXCHANGE_CAP: usize = 20;
/// How many fallback lines are remembered, so that they are not repeated soon (P9).
pub const FALLBACK_MEMORY: usize = 3;

/// One thing said to a character, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exchange {
    /// The id of who spoke; empty when nobody did.
    pub speaker: String,
    /// What was said to the character, else what the trigger asked of it.
    pub heard: String,
    /// What the character answered; empty when it only acted.
    pub answered: String,
}

/// All that one character has for itself: a component of its entity. Its file fills it at the beginning, each run that
/// is accepted adds to it at the commit, and a fallback is noted in it. The game may write to it, too. While the
/// character is not spawned, its mind is in [`DormantMinds`].
///
/// Opaque to reflection: nobody builds one from outside data.
#[derive(Component, Debug, Clone, Default)]
pub struct Mind {
    /// Its episodes: what it has lived through and remembers.
    pub episodes: Episodes,
    /// Its beliefs: what it holds to be true, right or wrong.
    pub beliefs: Beliefs,
    /// Its relationships: how it stands to others, by their ids.
    pub relationships: Relationships,
    /// The last [`EXCHANGE_CAP`] exchanges, oldest first.
    pub exchanges: VecDeque<Exchange>,
    /// How many older exchanges are not kept any more.
    pub exchanges_gone: usize,
    /// How many Accepted and Fallback runs it has ended.
    pub interactions: u64,
    /// Its last [`FALLBACK_MEMORY`] fallback lines, oldest first.
    pub recent_fallbacks: VecDeque<String>,
    /// Its states: label, category, and level 0 to 30 (contract row T5).
    pub states: Vec<(String, String, u8)>,
}

impl Mind {
    /// Adds an exchange; the oldest leaves when there are more than [`EXCHANGE_CAP`].
    pub fn add_exchange(&mut self, exchange: Exchange) {
        self.exchanges.push_back(exchange);
        while self.exchanges.len() > EXCHANGE_CAP {
            self.exchanges.pop_front();
            self.exchanges_gone += 1;
        }
    }

    /// Notes a fallback line, so that it is not repeated soon.
    pub fn note_fallback(&mut self, line: &str) {
        self.recent_fallbacks.push_back(line.to_owned());
        while self.recent_fallbacks.len() > FALLBACK_MEMORY {
            self.recent_fallbacks.pop_front();
        }
    }
}

/// Minds of characters that are not spawned, by NPC id. Spawning that id again takes its mind back.
#[derive(Resource, Debug, Default)]
pub struct DormantMinds(pub BTreeMap<Id, Mind>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut mind = Mind::default();
        for i in 0..100 {
            mind.add_exchange(Exchange {
                speaker: "p".into(),
                heard: format!("{i}"),
                answered: String::new(),
            });
            mind.note_fallback(&format!("{i}"));
        }
        assert_eq!(mind.exchanges.len(), EXCHANGE_CAP);
        assert_eq!(mind.exchanges.back().unwrap().heard, "99");
        assert_eq!(mind.recent_fallbacks, ["97", "98", "99"]);
    }
}
