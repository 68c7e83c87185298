//! What has been judged twice so far, in numbers and in changed verdicts.

use super::edits::EditedReply;
use super::verdict::ChangedVerdict;
use crate::base::ids::Id;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The most changed verdicts that are kept; the rest is counted.
const MAX_CHANGED: usize = 10_000;

/// What has been judged twice: a run, a turn or a plan, or all so far.
#[derive(Default)]
pub(super) struct Totals {
    pub runs: u64,
    pub attempts: u64,
    pub turns: u64,
    pub changed: Vec<ChangedVerdict>,
    pub left_out: u64,
    pub replies: Vec<EditedReply>,
    /// The characters that runs, plans and stages were of.
    pub characters: BTreeSet<Id>,
}

impl Totals {
    pub fn add(&mut self, more: Self) {
        self.runs += more.runs;
        self.attempts += more.attempts;
        self.turns += more.turns;
        self.left_out += more.left_out;
        self.replies.extend(more.replies);
        self.characters.extend(more.characters);
        for verdict in more.changed {
            if self.changed.len() < MAX_CHANGED {
                self.changed.push(verdict);
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// The totals, shared by the hook and by the code that asked for the second opinion.
pub(super) type SharedTotals = Arc<Mutex<Totals>>;
