//! Why a session cannot be exported or imported.

use thiserror::Error;

/// Why a session cannot be exported, and why a file cannot be imported. What was written until then is not a valid export: its
/// last line is missing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The record with this number cannot be read, or is not the one that was asked for.
    #[error("record {0} cannot be read")]
    Record(u64),
    /// The assets cannot be read, or one is not what its hash says.
    #[error("the assets cannot be read")]
    Assets,
    /// There is more than an export may hold.
    #[error("there are more than {limit} {what}")]
    TooMuch {
        /// What there is too much of, as a part of the message, for instance `records`.
        what: &'static str,
        /// How much of it an export may hold.
        limit: u64,
    },
    /// There are more secrets than can be looked for.
    #[error("there are more secrets than can be looked for")]
    Secrets,
    /// The export cannot be written. The kind of the error is that of the operating system.
    #[error("the export cannot be written: {0}")]
    Write(std::io::ErrorKind),
    /// The file is not a complete export. The text repeats nothing of the line: it may contain anything.
    #[error("line {line}: {why}")]
    Line {
        /// The line at which reading stopped, counted from 1.
        line: u64,
        /// The problem of that line, for people.
        why: String,
    },
}
