//! What can be replayed: records, with the sources of what was authored.

pub(crate) mod drift;
pub(crate) mod error;
pub(crate) mod reading;

use crate::journal::game::capture::Assets;
use crate::journal::record::{EncodedRecord, ReadRecord, Record, RecordOutline};
use crate::journal::recording::error::ReplayError;
use bevy::reflect::TypePath;

/// Records with the sources of what was authored: what can be replayed, exported and judged again. [`Recording`] holds
/// them in memory; `JournalFile` reads them from a file.
#[expect(
    private_bounds,
    reason = "only the engine asks for texts, so no game implements it"
)]
pub trait Recorded: RecordTexts {
    /// The number of the last record; 0 when there is none.
    fn count(&self) -> u64;

    /// The number of the first record: 1, except in a journal that was pruned.
    fn first(&self) -> u64 {
        1
    }

    /// One record, by its number from 1.
    ///
    /// # Errors
    /// [`ReplayError::Missing`] when no record has this number; another one when the record cannot be read.
    fn record(&self, seq: u64) -> Result<Record, ReplayError>;

    /// The sources of what was authored, by the hex form of their hash.
    ///
    /// # Errors
    /// When they cannot be read.
    fn assets(&self) -> Result<Assets, ReplayError>;
}

/// What the engine alone asks of a recording: its records as text. Code that keeps records as text gives them as they are.
pub(crate) trait RecordTexts {
    /// One record as text, by its number from 1.
    ///
    /// # Errors
    /// As [`Recorded::record`].
    fn encoded(&self, seq: u64) -> Result<EncodedRecord, ReplayError>;

    /// One record, read. A replay asks for each once, nearly in order: so they can be read ahead.
    ///
    /// # Errors
    /// As [`Recorded::record`]. That a record was tampered with is none.
    fn read(&self, seq: u64) -> Result<ReadRecord, ReplayError> {
        self.encoded(seq).map(ReadRecord::from)
    }

    /// Visits all records in order, before anything is played.
    ///
    /// # Errors
    /// As [`Recorded::record`], and what `visit` returns.
    fn visit_outlines(
        &self,
        visit: &mut dyn FnMut(RecordOutline) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError>;
}

/// A recording in memory: what a `MemoryJournal` keeps and an import gives.
#[derive(Debug, Clone, Default, PartialEq, Eq, TypePath)]
pub struct Recording {
    /// The records, in order: the first one has the number 1.
    pub records: Vec<Record>,
    /// The sources of what was authored, by the hex form of their hash.
    pub assets: Assets,
}

impl Recorded for Recording {
    fn count(&self) -> u64 {
        self.records.len() as u64
    }

    fn record(&self, seq: u64) -> Result<Record, ReplayError> {
        let index = usize::try_from(seq.wrapping_sub(1)).unwrap_or(usize::MAX);
        self.records
            .get(index)
            .cloned()
            .ok_or(ReplayError::Missing(seq))
    }

    fn assets(&self) -> Result<Assets, ReplayError> {
        Ok(self.assets.clone())
    }
}

impl RecordTexts for Recording {
    fn encoded(&self, seq: u64) -> Result<EncodedRecord, ReplayError> {
        self.record(seq).map(EncodedRecord::from)
    }

    fn visit_outlines(
        &self,
        visit: &mut dyn FnMut(RecordOutline) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        (1..=self.count()).try_for_each(|seq| visit(self.encoded(seq)?.into()))
    }
}
