//! The mind of one character: all that it has for itself.

use super::episodes::Decay;
use super::{Beliefs, Episodes, Relationships};
use crate::base::ids::Id;
use crate::limits::{LimitOverrides, Limits};
use bevy::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// How many exchanges are kept at least, where the limits ask for no more. More than prompts show by default, so that a cut
/// can be listed.
pub const EXCHANGE_CAP: usize = 20;

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
    /// The last exchanges, oldest first: [`EXCHANGE_CAP`], or as many as a prompt shows where that is more.
    pub exchanges: VecDeque<Exchange>,
    /// How many older exchanges are not kept any more.
    pub exchanges_gone: usize,
    /// How many Accepted and Fallback runs it has ended.
    pub interactions: u64,
    /// Its last fallback lines, oldest first: as many as [`Limits::no_repeat`] says.
    pub recent_fallbacks: VecDeque<String>,
    /// Its states: label, category, and level 0 to 30 (contract row T5).
    pub states: Vec<(String, String, u8)>,
    /// How many exchanges and fallback lines are kept.
    pub kept: KeptLines,
}

/// How many lines a mind keeps. The plugin sets it from the limits of the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptLines {
    /// How many exchanges, at least [`EXCHANGE_CAP`].
    pub exchanges: usize,
    /// How many fallback lines: as many as [`Limits::no_repeat`] says.
    pub fallbacks: usize,
}

impl Default for KeptLines {
    fn default() -> Self {
        Self {
            exchanges: EXCHANGE_CAP,
            fallbacks: Limits::DEFAULT.no_repeat,
        }
    }
}

impl Mind {
    /// Keeps to these limits from now on. What is too much leaves when the next of its kind comes. `exchanges` is how many
    /// of them a prompt may show.
    pub(crate) fn keep_to(&mut self, limits: &Limits, exchanges: usize) {
        let decay = Decay {
            rate: limits.decay_rate,
            step: limits.decay_step,
        };
        self.episodes.keep_to(limits.episodes, decay);
        self.beliefs.keep_to(limits.beliefs);
        self.kept.exchanges = EXCHANGE_CAP.max(exchanges);
        self.kept.fallbacks = limits.no_repeat;
    }

    /// What it keeps to where that is not the default, in the smallest units, by name.
    pub(super) fn kept_to(&self) -> BTreeMap<String, i64> {
        let decay = self.episodes.decay();
        let kept = LimitOverrides {
            beliefs: Some(self.beliefs.cap()),
            decay_rate: Some(decay.rate),
            decay_step: Some(decay.step),
            no_repeat: Some(self.kept.fallbacks),
            exchanges: Some(self.kept.exchanges).filter(|kept| *kept != EXCHANGE_CAP),
            ..default()
        };
        let default = Limits::DEFAULT.units();
        let mut units = kept.units();
        units.retain(|name, number| default.get(name.as_str()) != Some(number));
        units
    }

    /// Keeps to what [`Mind::kept_to`] says.
    pub(super) fn keep_to_saved(&mut self, saved: &BTreeMap<String, i64>) {
        let saved = LimitOverrides::from_units(saved);
        let limits = LimitOverrides {
            episodes: Some(self.episodes.cap()),
            ..saved
        };
        self.keep_to(
            &limits.over(Limits::DEFAULT),
            saved.exchanges.unwrap_or_default(),
        );
    }

    /// Adds an exchange; the oldest leaves when there are too many.
    pub fn add_exchange(&mut self, exchange: Exchange) {
        self.exchanges.push_back(exchange);
        while self.exchanges.len() > self.kept.exchanges {
            self.exchanges.pop_front();
            self.exchanges_gone += 1;
        }
    }

    /// Notes a fallback line, so that it is not repeated soon.
    pub fn note_fallback(&mut self, line: &str) {
        self.recent_fallbacks.push_back(line.to_owned());
        while self.recent_fallbacks.len() > self.kept.fallbacks {
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
