//! Compares records with the reproduced ones, on a separate thread where there is one: making a record takes about as long as
//! the turn that it describes.

use crate::journal::ledger::LedgerEntry;
use crate::journal::record::EncodedRecord;
use crate::journal::recording::drift::{Divergence, first_difference_of_texts};
use crossbeam_channel::{Sender, bounded};
use std::thread::{self, JoinHandle};

/// How many pairs are handed over at once: to wake the other thread takes about as long as to compare a pair.
const BATCH: usize = 16;
/// How many batches wait to be compared.
const MAX_WAITING: usize = 4;
/// The most differences that a report holds.
const MAX_DIVERGENCES: usize = 1_000;
/// How much of each value a report shows, in characters.
const MAX_SHOWN: usize = 300;

/// A record, what was made again, and whether both were made with the same prompts.
type Pair = (EncodedRecord, LedgerEntry, bool);

/// Compares pairs, in order.
pub(super) enum Comparing {
    /// On this thread: there is no other one.
    Here(Differences),
    /// On a thread that takes batches of pairs, and ends with all that it found.
    Beside {
        /// What has not been handed over yet.
        batch: Vec<Pair>,
        batches: Sender<Vec<Pair>>,
        thread: JoinHandle<Differences>,
    },
}

impl Comparing {
    /// Begins on another thread; where the system gives none, on this one.
    pub fn begin() -> Self {
        let (batches, received) = bounded::<Vec<Pair>>(MAX_WAITING);
        let compare = move || {
            let mut found = Differences::default();
            for pair in received.iter().flatten() {
                found.compare(pair);
            }
            found
        };
        let thread = thread::Builder::new().name("dramatis comparing".to_owned());
        match thread.spawn(compare) {
            Ok(thread) => Self::Beside {
                batch: Vec::with_capacity(BATCH),
                batches,
                thread,
            },
            Err(_) => Self::Here(Differences::default()),
        }
    }

    /// Compares a record with what was made again.
    pub fn compare(&mut self, recorded: EncodedRecord, made: LedgerEntry, same_prompts: bool) {
        let pair = (recorded, made, same_prompts);
        match self {
            Self::Here(found) => found.compare(pair),
            Self::Beside { batch, batches, .. } => {
                batch.push(pair);
                if batch.len() == BATCH {
                    let full = std::mem::replace(batch, Vec::with_capacity(BATCH));
                    // It ends before its sender only by a panic, which the end finds.
                    drop(batches.send(full));
                }
            }
        }
    }

    /// All that was found, in order.
    pub fn end(self) -> Vec<Divergence> {
        match self {
            Self::Here(found) => found.0,
            Self::Beside {
                batch,
                batches,
                thread,
            } => {
                drop(batches.send(batch));
                drop(batches);
                match thread.join() {
                    Ok(found) => found.0,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        }
    }
}

/// Differences, as many as a report holds.
#[derive(Default)]
pub(super) struct Differences(Vec<Divergence>);

impl Differences {
    fn compare(&mut self, (recorded, made, same_prompts): Pair) {
        let made = made.finish().0;
        if let Some(divergence) = first_difference_of_texts(&recorded, &made, same_prompts) {
            self.add(divergence);
        }
    }

    /// Adds one, cut to what a report shows.
    pub fn add(&mut self, mut divergence: Divergence) {
        if self.0.len() >= MAX_DIVERGENCES {
            return;
        }
        let cut = |text: Option<String>| text.map(|text| text.chars().take(MAX_SHOWN).collect());
        divergence.recorded = cut(divergence.recorded);
        divergence.replayed = cut(divergence.replayed);
        self.0.push(divergence);
    }

    /// All of these and those, by the numbers of the records that they are of.
    pub fn with(self, others: Vec<Divergence>) -> Vec<Divergence> {
        let mut all = self.0;
        all.extend(others);
        all.sort_by_key(|divergence| divergence.seq);
        all.truncate(MAX_DIVERGENCES);
        all
    }
}
