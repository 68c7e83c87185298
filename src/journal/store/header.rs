//! A look at a file before `SQLite` touches it.
//!
//! `SQLite` opens files of other programs, newer formats and stumps alike, and may leave a `-wal` next to them. So this code
//! reads the first hundred bytes, and a file that it refuses stays as it was.
//!
//! On Unix, closing any handle of a file drops all locks that the process holds on it (POSIX advisory locks). With another
//! `Store` of this process on the same file, reading the header would take `SQLite`'s locks away, and another
//! process could take the log of a journal in use for an abandoned one. (New versions of `SQLite` look at the locks of the
//! `-shm` too; tools that open the same file may be older.) Hence the list of files in use: the code checks them when it opens
//! them first, and not again.

use super::error::StoreProblem;
use super::schema::{APPLICATION_ID, FORMAT};
use crate::base::lock::lock;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

const LENGTH: usize = 100;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Which file a path leads to, whatever its name. Windows locks belong to handles and need no list.
type FileId = Option<(u64, u64)>;

static IN_USE: Mutex<Vec<FileId>> = Mutex::new(Vec::new());

fn in_use() -> MutexGuard<'static, Vec<FileId>> {
    lock(&IN_USE)
}

#[cfg(unix)]
fn file_id(metadata: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn file_id(_: &Metadata) -> FileId {
    None
}

/// Keeps this process from opening the file past `SQLite`. Must outlive the connection.
#[derive(Debug)]
pub(super) struct InUse(FileId);

impl Drop for InUse {
    fn drop(&mut self) {
        let mut files = in_use();
        if let Some(at) = files.iter().position(|id| *id == self.0) {
            files.swap_remove(at);
        }
    }
}

/// Looks at the file and marks it as in use.
pub(super) fn claim(path: &Path) -> Result<InUse, StoreProblem> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(not_a_journal("it is not a file"));
    }
    let id = file_id(&metadata);
    let mut files = in_use();
    if id.is_none() || !files.contains(&id) {
        check_header(path, metadata.len())?;
    }
    files.push(id);
    Ok(InUse(id))
}

/// Marks a file that was just made, and is empty, as in use.
pub(super) fn claim_new(path: &Path) -> Result<InUse, StoreProblem> {
    let id = file_id(&std::fs::metadata(path)?);
    in_use().push(id);
    Ok(InUse(id))
}

fn check_header(path: &Path, length: u64) -> Result<(), StoreProblem> {
    let mut header = Vec::with_capacity(LENGTH);
    File::open(path)?
        .take(LENGTH as u64)
        .read_to_end(&mut header)?;
    if header.is_empty() {
        return Err(not_a_journal("it is empty"));
    }
    if !header.starts_with(MAGIC) {
        return Err(not_a_journal("it is no SQLite database"));
    }
    if header.len() < LENGTH {
        return Err(StoreProblem::Truncated {
            expected: LENGTH as u64,
            found: length,
        });
    }
    if number(&header, 68) != APPLICATION_ID {
        return Err(not_a_journal("it belongs to another program"));
    }
    match number(&header, 60) {
        0 => return Err(StoreProblem::corrupt("its format has no number")),
        found if found > FORMAT => {
            return Err(StoreProblem::Newer {
                found,
                known: FORMAT,
            });
        }
        _ => {}
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size if size >= 512 && size.is_power_of_two() => u64::from(size),
        _ => return Err(StoreProblem::corrupt("its page size is impossible")),
    };
    // The count is true only where the same change wrote it; and the log of a program that was killed may hold
    // the pages that are missing here.
    let counted = number(&header, 24) == number(&header, 92);
    let expected = page * u64::from(number(&header, 28));
    if counted && length < expected && !has_log(path) {
        return Err(StoreProblem::Truncated {
            expected,
            found: length,
        });
    }
    Ok(())
}

fn not_a_journal(what: &'static str) -> StoreProblem {
    StoreProblem::NotAJournal { what }
}

fn number(header: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&header[at..at + 4]);
    u32::from_be_bytes(bytes)
}

/// Whether `SQLite` left a log with content next to the file.
pub(super) fn has_log(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|ending| {
        std::fs::metadata(beside(path, ending)).is_ok_and(|metadata| metadata.len() > 0)
    })
}

/// The name of a file that `SQLite` keeps next to the database.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The path that `SQLite` names its side files after. An absolute one is never read as a URI.
pub(super) fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    if cfg!(windows) {
        // SQLite does not follow links there, and verbatim paths confuse other programs.
        std::path::absolute(path)
    } else {
        std::fs::canonicalize(path)
    }
}
