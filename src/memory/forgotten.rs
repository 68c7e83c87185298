//! What a character has forgotten, and why.

use super::episode::Episode;
use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a character has forgotten an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForgetReason {
    /// There was no room for one more, and it was worth least.
    Cap,
    /// The game wanted it forgotten.
    Forget,
    /// What it tells of was taken back.
    Retracted,
}

impl ForgetReason {
    /// Its name in a record or a trace, such as `cap`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Forget => "forget",
            Self::Retracted => "retracted",
        }
    }
}

/// An episode that a character has forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct ForgottenEpisode {
    /// The episode, as it was.
    pub episode: Episode,
    /// Why it is gone.
    pub why: ForgetReason,
    /// The number of its arrival.
    pub(super) number: u64,
}

/// What has become of the episodes of one memory since it was made: enough to follow it without looking at all of them.
#[derive(Debug)]
pub(super) struct History {
    /// No two memories of a process have the same, not even a copy and its original.
    pub id: u64,
    /// How many episodes are gone.
    pub gone: usize,
    /// The last that went, at most [`REMEMBERED`].
    pub last_gone: VecDeque<ForgottenEpisode>,
}

/// How many episodes that are gone are kept.
const REMEMBERED: usize = 64;

impl Default for History {
    fn default() -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            gone: 0,
            last_gone: VecDeque::new(),
        }
    }
}

impl Clone for History {
    /// A copy goes its own way.
    fn clone(&self) -> Self {
        Self {
            gone: self.gone,
            last_gone: self.last_gone.clone(),
            ..Self::default()
        }
    }
}

impl History {
    /// Notes that an episode is gone that arrived with this number.
    pub fn note(&mut self, number: u64, episode: Episode, why: ForgetReason) {
        self.gone += 1;
        self.last_gone.push_back(ForgottenEpisode {
            episode,
            why,
            number,
        });
        if self.last_gone.len() > REMEMBERED {
            self.last_gone.pop_front();
        }
    }

    /// The episodes that are gone since `count` were gone, at most [`REMEMBERED`].
    pub(crate) fn since(&self, count: usize) -> impl Iterator<Item = &ForgottenEpisode> {
        let new = self.gone.saturating_sub(count).min(self.last_gone.len());
        self.last_gone.range(self.last_gone.len() - new..)
    }
}

/// How far a reader has followed the episodes of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EpisodesSeen {
    pub history: u64,
    pub gone: usize,
    pub next: u64,
}
