//! What has been judged twice so far, in numbers and in changed verdicts.

use super::edits::EditedReply;
use super::verdict::ChangedVerdict;
use crate::base::ids::Id;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// What has been judged twice.
pub(super) enum Reviewed {
    /// A run that has ended.
    Run {
        npc: Id,
        attempts: u64,
        changed: Vec<ChangedVerdict>,
        replies: Vec<EditedReply>,
    },
    /// A turn that was taken, or what happened to a plan.
    Turn { changed: Option<ChangedVerdict> },
    /// A turn of an adventure that has ended.
    AdventureTurn {
        /// Whose intentions were made, told or read.
        npcs: Vec<Id>,
        attempts: u64,
        changed: Vec<ChangedVerdict>,
        replies: Vec<EditedReply>,
    },
}

/// The most changed verdicts that are kept; the rest is counted.
const MAX_CHANGED: usize = 10_000;

/// All that has been judged twice so far.
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
    pub fn add(&mut self, reviewed: Reviewed) {
        let changed = match reviewed {
            Reviewed::Run {
                npc,
                attempts,
                changed,
                replies,
            } => {
                self.replies.extend(replies);
                self.runs += 1;
                self.attempts += attempts;
                self.characters.insert(npc);
                changed
            }
            Reviewed::Turn { changed } => {
                self.turns += 1;
                changed.into_iter().collect()
            }
            Reviewed::AdventureTurn {
                npcs,
                attempts,
                changed,
                replies,
            } => {
                self.turns += 1;
                self.characters.extend(npcs);
                self.attempts += attempts;
                self.replies.extend(replies);
                changed
            }
        };
        for verdict in changed {
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
