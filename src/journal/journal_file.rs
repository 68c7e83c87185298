//! A journal's file, read as a recording.

use super::capture::Assets;
use super::kept_assets::assets_of;
use super::record::{Record, RecordKind};
use super::replay::{Recorded, ReplayError};
use super::store::{Entry, Store, StoreError, Verified};
use crate::base::time::GameTime;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

/// How many entries are read at once.
const PAGE: usize = 64;
/// How many pages are kept: a run's record stands a little behind its beginning.
const PAGES: usize = 4;

/// A journal, or a save, that is read and never written: to replay it, to export it or to judge it again. It counts the
/// records that were there when it was opened.
pub struct JournalFile {
    store: Store,
    pages: RefCell<VecDeque<Vec<Entry>>>,
}

impl JournalFile {
    /// Opens a journal, or a save.
    ///
    /// # Errors
    /// See [`StoreProblem`](super::store::StoreProblem); a file that is refused is untouched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            store: Store::read(path)?,
            pages: RefCell::default(),
        })
    }

    /// Checks everything in it: the structure of the file, the chain of its records, every kept text and the state.
    ///
    /// # Errors
    /// See [`Store::verify`].
    pub fn verify(&self) -> Result<Verified, StoreError> {
        self.store.verify()
    }

    /// The checkpoints in it, in order: each can be loaded by its number
    /// ([`load_checkpoint`](super::save::load_checkpoint)).
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<CheckpointAt>, StoreError> {
        let found = self.store.of_kind(RecordKind::Checkpoint.name())?;
        let found = found.into_iter().map(|(seq, game)| CheckpointAt {
            seq,
            game: GameTime(game),
        });
        Ok(found.collect())
    }

    pub(super) fn assets_of<'a>(
        &self,
        hashes: impl Iterator<Item = &'a str>,
    ) -> Result<Assets, StoreError> {
        assets_of(&self.store, hashes)
    }

    fn entry(&self, seq: u64) -> Result<Entry, ReplayError> {
        let mut pages = self.pages.borrow_mut();
        let find = |page: &Vec<Entry>| page.iter().find(|entry| entry.seq == seq).cloned();
        if let Some(entry) = pages.iter().find_map(find) {
            return Ok(entry);
        }
        let first = seq.saturating_sub((seq.max(1) - 1) % PAGE as u64);
        let read = |from| {
            let page = self.store.entries(from, PAGE);
            page.map_err(|error| ReplayError::File(error.to_string()))
        };
        let mut page = read(first)?;
        if find(&page).is_none() {
            // A page of large entries ends early.
            page = read(seq)?;
        }
        let entry = find(&page).ok_or(ReplayError::Missing(seq))?;
        if pages.len() == PAGES {
            pages.pop_front();
        }
        pages.push_back(page);
        Ok(entry)
    }
}

/// A checkpoint in a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointAt {
    /// The number of its record.
    pub seq: u64,
    /// The game time at which it was written.
    pub game: GameTime,
}

fn record_of(entry: Entry) -> Result<Record, ReplayError> {
    let unreadable = |why: &str| ReplayError::Unreadable {
        seq: entry.seq,
        field: "body",
        why: why.to_owned(),
    };
    let kind = RecordKind::named(&entry.kind).ok_or_else(|| unreadable("of no known kind"))?;
    let Ok(Value::Object(body)) = serde_json::from_str(&entry.body) else {
        return Err(unreadable("no JSON object"));
    };
    Ok(Record {
        seq: entry.seq,
        kind,
        game: GameTime(entry.game_ms),
        subject: entry.subject,
        body,
    })
}

impl Recorded for JournalFile {
    fn count(&self) -> u64 {
        self.store.head().seq
    }

    fn record(&self, seq: u64) -> Result<Record, ReplayError> {
        record_of(self.entry(seq)?)
    }

    fn assets(&self) -> Result<Assets, ReplayError> {
        let mut hashes = BTreeSet::new();
        for seq in 1..=self.count() {
            let entry = self.entry(seq)?;
            let authored = ["checkpoint", "part", "entered", "story"];
            if !authored.contains(&entry.kind.as_str()) {
                continue;
            }
            // What cannot be read is reported by whoever needs it.
            let body = record_of(entry)?.read().ok();
            hashes.extend(body.map(|body| body.assets()).unwrap_or_default());
        }
        let hashes = hashes.iter().map(String::as_str);
        assets_of(&self.store, hashes).map_err(|error| ReplayError::File(error.to_string()))
    }
}
