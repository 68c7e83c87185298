//! What can be replayed: records, with the sources of what was authored.

use super::error::ReplayError;
use crate::journal::capture::Assets;
use crate::journal::record::Record;

/// Records with the sources of what was authored: what can be replayed, exported and judged again. [`Recording`] holds
/// them in memory; `JournalFile` reads them from a file.
pub trait Recorded {
    /// The number of the last record; 0 when there is none.
    fn count(&self) -> u64;

    /// The number of the first record: 1, but of a journal that was pruned.
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

/// A recording in memory: what a `MemoryJournal` keeps and an import gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
