//! Why a recording cannot be replayed or loaded.

use thiserror::Error;

/// Why a recording cannot be replayed at all, or no further, and why it cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// There is no record with this number.
    #[error("record {0} is missing")]
    Missing(u64),
    /// The recording is empty, or does not begin with a checkpoint.
    #[error("the recording does not begin with a checkpoint")]
    NoCheckpoint,
    /// A record is there and cannot be understood.
    #[error("record {seq}: its \"{field}\" cannot be understood: {why}")]
    Unreadable {
        /// The number of the record, from 1.
        seq: u64,
        /// The field of its body that cannot be read; `body` for the whole body.
        field: &'static str,
        /// The problem of the field, for people.
        why: String,
    },
    /// A record refers to an asset that the recording does not hold, or that cannot be used.
    #[error("record {seq}: {why}")]
    Asset {
        /// The number of the record, from 1.
        seq: u64,
        /// The problem of the asset, for people.
        why: String,
    },
    /// The file cannot be read. The text names the file and says why.
    #[error("{0}")]
    File(String),
    /// The recording is to be loaded, and the story or a character of the running game is still loading from its file.
    #[error("the game's own files are still loading")]
    StillLoading,
    /// The recording is to be loaded, and cannot be played: an asset is missing or cannot be used. The text says which.
    #[error("{0}")]
    Unplayable(String),
}
