//! When a run read the world: how many records there were, and what time it was in the game.
//!
//! A replay lets each step of a run happen when just as many records have been replayed.

use crate::pipeline::hook::RunStep;
use bevy::prelude::Component;
use serde::{Deserialize, Serialize};

/// A point in the order of records: how many there were, and game time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    /// How many records there were.
    pub after: u64,
    /// Game time, in milliseconds.
    pub game: i64,
}

/// When a run did what.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTimeline {
    /// The run's number.
    pub run: u64,
    /// When it began.
    pub started: Option<Moment>,
    /// When its rules were looked at.
    pub expectancy: Option<Moment>,
    /// When its memories were looked at.
    pub retrieval: Option<Moment>,
    /// When its first input was frozen.
    pub snapshot: Option<Moment>,
    /// When its replies were judged.
    pub judged: Vec<Moment>,
    /// When what was approved was to be installed.
    pub committed: Vec<Moment>,
    /// When what had failed was given up, or tried again.
    pub failed: Vec<Moment>,
    /// Whether it began before the journal did: it cannot be replayed.
    pub begun_before: bool,
}

impl RunTimeline {
    /// Notes a step.
    pub(super) fn add(&mut self, step: RunStep, now: Moment) {
        match step {
            RunStep::Start => self.started = Some(now),
            RunStep::Expectancy => self.expectancy = Some(now),
            RunStep::Retrieval => self.retrieval = Some(now),
            // A retry keeps the input that was frozen first.
            RunStep::Snapshot => {
                self.snapshot.get_or_insert(now);
            }
            RunStep::Validation => self.judged.push(now),
            RunStep::Commit => self.committed.push(now),
            RunStep::Failure => self.failed.push(now),
        }
    }

    /// When the `nth` such step happened, from 0; only judging and committing can happen more than once.
    #[must_use]
    pub fn moment(&self, step: RunStep, nth: usize) -> Option<Moment> {
        match step {
            RunStep::Start => self.started,
            RunStep::Expectancy => self.expectancy,
            RunStep::Retrieval => self.retrieval,
            RunStep::Snapshot => self.snapshot,
            RunStep::Validation => self.judged.get(nth).copied(),
            RunStep::Commit => self.committed.get(nth).copied(),
            RunStep::Failure => self.failed.get(nth).copied(),
        }
    }

    /// How often it has done this; only what can happen more than once is counted.
    #[must_use]
    pub fn times(&self, step: RunStep) -> usize {
        match step {
            RunStep::Validation => self.judged.len(),
            RunStep::Commit => self.committed.len(),
            RunStep::Failure => self.failed.len(),
            RunStep::Start | RunStep::Expectancy | RunStep::Retrieval | RunStep::Snapshot => 0,
        }
    }
}
