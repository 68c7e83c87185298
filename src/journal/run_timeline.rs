//! When each step of a run read the world: after how many records, and at what game time.
//!
//! A replay lets each step happen when as many records have been replayed.

use crate::pipeline::hook::RunStep;
use bevy::prelude::Component;
use serde::{Deserialize, Serialize};

/// A point in the order of records: how many there were, and game time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    /// How many records had been written.
    pub after: u64,
    /// Game time, in milliseconds.
    pub game: i64,
}

/// When a run took each of its steps. Written by the journal, on the run. `None`, or an empty list: it did not come to that.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTimeline {
    /// The run's number.
    pub run: u64,
    /// When it began.
    pub started: Option<Moment>,
    /// When its rules were evaluated.
    pub expectancy: Option<Moment>,
    /// When its memories were retrieved.
    pub retrieval: Option<Moment>,
    /// When the input of its first attempt was frozen.
    pub snapshot: Option<Moment>,
    /// When its replies were judged, in order.
    pub judged: Vec<Moment>,
    /// When what was approved was about to be committed, in order.
    pub committed: Vec<Moment>,
    /// When a failed attempt was given up or tried again, in order.
    pub failed: Vec<Moment>,
    /// Whether it began before the journal, or before a gap. Such a run cannot happen again.
    pub begun_before: bool,
}

impl RunTimeline {
    /// Adds a step that the run takes now.
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
