//! A journal's file, read as a recording.

use super::read_ahead::ReadAhead;
use crate::base::time::GameTime;
use crate::journal::game::capture::Assets;
use crate::journal::game::kept_assets::assets_of;
use crate::journal::record::{EncodedRecord, ReadRecord, Record, RecordKind, RecordOutline};
use crate::journal::recording::RecordTexts;
use crate::journal::store::{Entry, EntryForm, Store, StoreError};
use crate::journal::{Recorded, ReplayError};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

/// How many entries are read at once.
const PAGE: usize = 64;
/// How many pages are kept: a run's record comes a little after its beginning.
const PAGES: usize = 4;

/// A journal, or a save, that is read and never written: to replay it, to export it or to judge it again. It counts the
/// records that were there when it was opened.
pub struct JournalFile {
    store: Store,
    pages: RefCell<VecDeque<Vec<Entry>>>,
    /// Reads on, once a caller reads it from the beginning.
    ahead: RefCell<Option<ReadAhead<ReadRecord>>>,
}

impl JournalFile {
    /// Opens a journal, or a save.
    ///
    /// # Errors
    /// See `StoreProblem`; a file that is refused is untouched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            store: Store::read(path)?,
            pages: RefCell::default(),
            ahead: RefCell::default(),
        })
    }

    /// Checks everything in it: the structure of the file, the chain of its records, every kept text and the state.
    ///
    /// # Errors
    /// See `Store::verify`.
    pub fn verify(&self) -> Result<u64, StoreError> {
        Ok(self.store.verify()?.entries)
    }

    /// The checkpoints in it, in order: each can be loaded by its number
    /// ([`load_checkpoint`](crate::journal::SaveCommandsExt::load_checkpoint)).
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<(u64, GameTime)>, StoreError> {
        let found = self.store.of_kinds(&[RecordKind::Checkpoint.name()])?;
        let found = found.into_iter().map(|(seq, game)| (seq, GameTime(game)));
        Ok(found.collect())
    }

    pub(in crate::journal) fn assets_of<'a>(
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
            page.map_err(file_error)
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

fn file_error(error: StoreError) -> ReplayError {
    ReplayError::File(error.to_string())
}

fn unreadable(seq: u64, field: &'static str, why: impl Into<String>) -> ReplayError {
    let why = why.into();
    ReplayError::Unreadable { seq, field, why }
}

/// The result for an entry that is read ahead; `None` where it cannot be read; the error comes when a caller asks for it.
fn made<T: From<EncodedRecord>>(entry: Entry) -> Option<T> {
    Some(encoded(entry).ok()?.into())
}

fn encoded(entry: Entry) -> Result<EncodedRecord, ReplayError> {
    let kind = RecordKind::named(&entry.kind)
        .ok_or_else(|| unreadable(entry.seq, "body", "of no known kind"))?;
    Ok(EncodedRecord {
        seq: entry.seq,
        kind,
        game: GameTime(entry.game_ms),
        subject: entry.subject,
        body: entry.body,
    })
}

impl Recorded for JournalFile {
    fn count(&self) -> u64 {
        self.store.head().seq
    }

    fn record(&self, seq: u64) -> Result<Record, ReplayError> {
        let record = self.encoded(seq)?.to_record();
        record.map_err(|error| unreadable(seq, error.field, error.why))
    }

    fn assets(&self) -> Result<Assets, ReplayError> {
        let mut hashes = BTreeSet::new();
        let kinds = RecordKind::ALL.iter().copied();
        let kinds = kinds.filter(|kind| kind.names_assets());
        let kinds: Vec<&str> = kinds.map(RecordKind::name).collect();
        // All at once: each look goes through the whole file.
        for (seq, _) in self.store.of_kinds(&kinds).map_err(file_error)? {
            // The code that needs an unreadable entry reports it.
            let body = self.encoded(seq)?.read().ok();
            hashes.extend(body.map(|body| body.assets()).unwrap_or_default());
        }
        let hashes = hashes.iter().map(String::as_str);
        assets_of(&self.store, hashes).map_err(file_error)
    }
}

impl RecordTexts for JournalFile {
    fn encoded(&self, seq: u64) -> Result<EncodedRecord, ReplayError> {
        encoded(self.entry(seq)?)
    }

    fn read(&self, seq: u64) -> Result<ReadRecord, ReplayError> {
        let mut ahead = self.ahead.borrow_mut();
        if seq == 1 {
            *ahead = ReadAhead::begin(&self.store, EntryForm::Whole, made);
        }
        match ahead.as_mut().and_then(|ahead| ahead.take(seq)) {
            Some(record) => Ok(record),
            None => self.encoded(seq).map(ReadRecord::from),
        }
    }

    fn visit_outlines(
        &self,
        visit: &mut dyn FnMut(RecordOutline) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        let form = EntryForm::PackedOf(RecordOutline::needs_body);
        let mut ahead = ReadAhead::begin(&self.store, form, made);
        for seq in 1..=self.count() {
            let outline = ahead.as_mut().and_then(|ahead| ahead.take(seq));
            visit(match outline {
                Some(outline) => outline,
                None => self.encoded(seq)?.into(),
            })?;
        }
        Ok(())
    }
}
