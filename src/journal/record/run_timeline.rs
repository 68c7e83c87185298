//! When each step of a run read the world: after how many records, and at what game time.
//!
//! A replay lets each step happen when as many records have been replayed.

use crate::pipeline::driver::hook::RunStep;
use bevy::prelude::Component;
use serde::{Deserialize, Serialize};

/// A point in the order of records: how many there were, and game time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    /// How many records had been written before it.
    pub after: u64,
    /// Game time at that point, in milliseconds.
    pub game: i64,
}

/// When a run took each of its steps. Written by the journal, on the run. `None`, or an empty list: it did not come to that.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[component(storage = "SparseSet")]
#[serde(deny_unknown_fields)]
pub struct RunTimeline {
    /// The number of the run, as [`Run`](crate::pipeline::Run) has it.
    pub run: u64,
    /// When the run began; `None` when it began before the journal did.
    pub started: Option<Moment>,
    /// When the rules that apply to it were evaluated.
    pub expectancy: Option<Moment>,
    /// When the memories for its prompt were retrieved.
    pub retrieval: Option<Moment>,
    /// When the input of its first attempt was frozen.
    pub snapshot: Option<Moment>,
    /// When what its character chose to do was judged, in order. Left out of records where it was not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Moment>,
    /// When parts of its replies were judged while they were still coming, in order. Left out of records where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Moment>,
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
    pub(in crate::journal) fn add(&mut self, step: RunStep, now: Moment) {
        match step {
            RunStep::Start => self.started = Some(now),
            RunStep::Expectancy => self.expectancy = Some(now),
            RunStep::Retrieval => self.retrieval = Some(now),
            // A retry keeps the input that was frozen first.
            RunStep::Snapshot => {
                self.snapshot.get_or_insert(now);
            }
            RunStep::Choice => self.choices.push(now),
            RunStep::Sentence => self.parts.push(now),
            RunStep::Validation => self.judged.push(now),
            RunStep::Commit => self.committed.push(now),
            RunStep::Failure => self.failed.push(now),
        }
    }

    /// When the `nth` such step happened, counted from 0; `None` when it did not. Judging, committing and failing can
    /// happen more than once; of any other step `nth` is not looked at.
    #[must_use]
    pub(crate) fn moment(&self, step: RunStep, nth: usize) -> Option<Moment> {
        match step {
            RunStep::Start => self.started,
            RunStep::Expectancy => self.expectancy,
            RunStep::Retrieval => self.retrieval,
            RunStep::Snapshot => self.snapshot,
            RunStep::Choice => self.choices.get(nth).copied(),
            RunStep::Sentence => self.parts.get(nth).copied(),
            RunStep::Validation => self.judged.get(nth).copied(),
            RunStep::Commit => self.committed.get(nth).copied(),
            RunStep::Failure => self.failed.get(nth).copied(),
        }
    }

    /// How often it has taken this step. Only steps that can happen more than once are counted: judging, committing and
    /// failing. It is 0 for any other.
    #[must_use]
    pub(crate) fn times(&self, step: RunStep) -> usize {
        match step {
            RunStep::Choice => self.choices.len(),
            RunStep::Sentence => self.parts.len(),
            RunStep::Validation => self.judged.len(),
            RunStep::Commit => self.committed.len(),
            RunStep::Failure => self.failed.len(),
            RunStep::Start | RunStep::Expectancy | RunStep::Retrieval | RunStep::Snapshot => 0,
        }
    }
}
