//! Where a recording is, for code that opens it later or on another thread.

use crate::journal::export::import;
#[cfg(feature = "store")]
use crate::journal::file::reader::JournalFile;
#[cfg(feature = "store")]
use crate::journal::store::{StoreError, StoreProblem};
use crate::journal::{Recorded, Recording};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recording in memory, or the file that holds one.
#[derive(Debug, Clone)]
pub(crate) enum RecordingSource {
    Memory(Arc<Recording>),
    /// A journal, a save or an export.
    File(PathBuf),
}

impl RecordingSource {
    /// The recording itself. An error is a sentence for people.
    pub(crate) fn open(&self) -> Result<Box<dyn Recorded>, String> {
        let path = match self {
            Self::Memory(recording) => return Ok(Box::new((**recording).clone())),
            Self::File(path) => path,
        };
        #[cfg(feature = "store")]
        if let Some(journal) = open_journal(path).map_err(|error| error.to_string())? {
            return Ok(Box::new(journal));
        }
        let read = read_export(path)
            .map_err(|why| format!("no journal, no save, and no whole export: {why}"));
        Ok(Box::new(read?))
    }
}

/// Opens a journal or a save. `None`: the file is neither.
///
/// # Errors
/// It is one of them, or may be one, and cannot be read.
#[cfg(feature = "store")]
pub(crate) fn open_journal(path: &Path) -> Result<Option<JournalFile>, StoreError> {
    match JournalFile::open(path) {
        Ok(journal) => Ok(Some(journal)),
        Err(error) if matches!(error.problem, StoreProblem::NotAJournal { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads an export. An error is a sentence for people.
pub(crate) fn read_export(path: &Path) -> Result<Recording, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    import(BufReader::new(file)).map_err(|error| error.to_string())
}
