//! Why a journal file could not be read or written.
//!
//! No message holds the text of a record, a state row or a prompt: errors end up in logs.

use rusqlite::ErrorCode;
use rusqlite::ffi;
use std::path::{Path, PathBuf};

/// What went wrong, and with which file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StoreError {
    /// The file that was read or written; of a copy, the file that it was to become.
    pub path: PathBuf,
    /// What went wrong with it.
    pub(crate) problem: StoreProblem,
}

/// What went wrong with a journal file. A file that was refused when it was opened is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum StoreProblem {
    /// There is no file at the path, or no folder for a new one.
    #[error("there is no such file; check the path, or begin a new journal")]
    NotFound,
    /// A new journal was asked for, and something is there.
    #[error("it exists already; open it, or choose another name")]
    AlreadyExists,
    /// The file is something else: no file at all, empty, of another program, or with tables that no journal has.
    #[error("not a journal: {what}; choose another file")]
    NotAJournal {
        /// What it lacks or holds, as a part of the message.
        what: &'static str,
    },
    /// A later version of this crate wrote the file.
    #[error(
        "written in format {found}, and this version knows formats up to {known}; update the game"
    )]
    Newer {
        /// The number of the format that the file has.
        found: u32,
        /// The newest format that this version knows.
        known: u32,
    },
    /// The end of the file is missing: it is shorter than its header says, or than a header.
    #[error("cut off: {found} bytes of {expected}; restore it from a copy")]
    Truncated {
        /// How many bytes it should have, at least.
        expected: u64,
        /// How many bytes the file has.
        found: u64,
    },
    /// The content contradicts itself: a hash, a number or the structure of the file does not fit.
    #[error("damaged{}: {what}; restore it from a copy", at_entry(*seq))]
    Corrupt {
        /// What does not fit, as a part of the message. It repeats nothing of the file.
        what: &'static str,
        /// The first entry that is touched, where one can be named.
        seq: Option<u64>,
    },
    /// A part is larger than a journal takes. A commit that holds it is refused as a whole; a state that is too large
    /// is not read.
    #[error("{what} of {bytes} bytes; a journal takes {most} at most")]
    TooLarge {
        /// The thing that is too large, as a part of the message, for instance `a body`.
        what: &'static str,
        /// How large it is, in bytes; of several together, where the counting stopped.
        bytes: u64,
        /// How large it may be, in bytes.
        most: u64,
    },
    /// There is no room left. Nothing of the commit was written.
    #[error("the disk is full; make room and try again")]
    Full,
    /// The file, its folder or this `Store` does not take writes.
    #[error("it cannot be written; check its permissions, or open it for writing")]
    ReadOnly,
    /// Another program has the file, or was killed and left a log next to it. A commit waits up to two seconds before it says
    /// so.
    #[error(
        "another program uses it, or was killed while it did; close that, or open the file once"
    )]
    Busy,
    /// A commit does not follow the last entry, maybe because another program wrote in between.
    #[error("entry {expected} comes next, and entry {got} was given; open the journal again")]
    OutOfOrder {
        /// The sequence number that the file needs next.
        expected: u64,
        /// The sequence number of the commit that was given.
        got: u64,
    },
    /// The operating system refused something that no other variant names. The text says what, for people.
    #[error("{0}")]
    Io(String),
    /// `SQLite` refused something that no other variant names. The text is that of the error code; `SQLite`'s own
    /// message may quote the file and is left out.
    #[error("SQLite: {0}")]
    Sqlite(String),
}

fn at_entry(seq: Option<u64>) -> String {
    seq.map(|seq| format!(" at entry {seq}"))
        .unwrap_or_default()
}

impl StoreProblem {
    /// Damage that no entry can be named for yet.
    pub(super) fn corrupt(what: &'static str) -> Self {
        Self::Corrupt { what, seq: None }
    }

    /// Damage of one entry.
    pub(super) fn corrupt_at(what: &'static str, seq: u64) -> Self {
        Self::Corrupt {
            what,
            seq: Some(seq),
        }
    }

    /// Names the entry that was read when the damage was found.
    pub(super) fn in_entry(self, seq: u64) -> Self {
        match self {
            Self::Corrupt { what, seq: None } => Self::corrupt_at(what, seq),
            other => other,
        }
    }

    /// Names the file.
    pub(super) fn of(self, path: &Path) -> StoreError {
        StoreError {
            path: path.to_owned(),
            problem: self,
        }
    }
}

impl From<std::io::Error> for StoreProblem {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        match error.kind() {
            Kind::NotFound => Self::NotFound,
            Kind::AlreadyExists => Self::AlreadyExists,
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Self::ReadOnly,
            Kind::StorageFull | Kind::QuotaExceeded => Self::Full,
            _ => Self::Io(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for StoreProblem {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        let failure = match &error {
            E::SqliteFailure(failure, _) => *failure,
            E::SqlInputError { error, .. } => *error,
            // A column that holds another type than its table says, or bytes that are not UTF-8.
            E::FromSqlConversionFailure(..)
            | E::IntegralValueOutOfRange(..)
            | E::Utf8Error(..)
            | E::InvalidColumnType(..) => return Self::corrupt("a column holds another type"),
            _ => return Self::Sqlite("the query was refused".into()),
        };
        match failure.code {
            // A full disk also shows as a WAL index that cannot grow.
            ErrorCode::DiskFull => Self::Full,
            _ if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
            _ if failure.extended_code == ffi::SQLITE_IOERR_SHORT_READ => {
                Self::corrupt("its end is missing")
            }
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::ReadOnly,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                Self::corrupt("SQLite finds it malformed")
            }
            ErrorCode::TooBig => Self::corrupt("a row is larger than any journal's"),
            ErrorCode::CannotOpen | ErrorCode::SystemIoFailure => Self::Io(failure.to_string()),
            // The code's own text, not SQLite's message: that may quote a hostile file.
            _ => Self::Sqlite(failure.to_string()),
        }
    }
}

/// Refuses what is larger than a journal takes.
pub(super) fn within(what: &'static str, bytes: usize, most: usize) -> Result<(), StoreProblem> {
    if bytes <= most {
        return Ok(());
    }
    Err(StoreProblem::TooLarge {
        what,
        bytes: bytes as u64,
        most: most as u64,
    })
}
