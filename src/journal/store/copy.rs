//! Copies of a journal that take the place of another file in one step.
//!
//! A copy is written under a temporary name in the same folder, flushed to the disk, and renamed. A program that opens the
//! target sees the old file or the whole new one. Where there is a log next to the target, nothing is renamed, because `SQLite`
//! would take it for the log of the new file and damage it.

use super::error::StoreProblem;
use super::header::beside;
use super::read::{MOST_STATE, fits};
use rusqlite::Connection;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Writes a copy and puts it in the place of `target`.
pub(super) fn copy(connection: &Connection, target: &Path) -> Result<(), StoreProblem> {
    fits(connection, MOST_STATE)?;
    let target = std::path::absolute(target)?;
    let temporary = Temporary::beside(&target)?;
    let name = temporary.0.to_str().ok_or_else(|| {
        StoreProblem::Io("SQLite writes copies only to names that are UTF-8".into())
    })?;
    connection.execute("VACUUM INTO ?1", [name])?;
    // For writing, since Windows flushes no other handles.
    File::options().write(true).open(&temporary.0)?.sync_all()?;
    // SQLite would take a log that lies there for that of the new file, and damage it.
    for ending in ["-wal", "-journal"] {
        if beside(&target, ending).exists() {
            return Err(StoreProblem::Busy);
        }
    }
    std::fs::rename(&temporary.0, &target)?;
    sync_folder(&target)
}

/// Makes sure that the name of a file is on the disk too.
pub(super) fn sync_folder(file: &Path) -> Result<(), StoreProblem> {
    // Windows has no such call, and its file systems log names.
    if cfg!(unix)
        && let Some(folder) = file.parent()
    {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A file of our own that is removed unless it was renamed.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(target: &Path) -> Result<Self, StoreProblem> {
        let process = std::process::id();
        for attempt in 0..100 {
            let path = target.with_file_name(format!(".dramatis-{process}-{attempt}.tmp"));
            match File::create_new(&path) {
                // SQLite writes into an empty file, but not over another.
                Ok(_) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreProblem::Io(
            "too many unfinished copies are next to it".into(),
        ))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        for ending in ["", "-journal"] {
            // After a rename there is nothing to remove.
            let _ = std::fs::remove_file(beside(&self.0, ending));
        }
    }
}
