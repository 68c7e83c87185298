//! Why a recording cannot be replayed.

use thiserror::Error;

/// Why a recording cannot be replayed at all, or no further.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// A record is not there.
    #[error("record {0} is missing")]
    Missing(u64),
    /// A recording begins with a checkpoint.
    #[error("the recording does not begin with a checkpoint")]
    NoCheckpoint,
    /// A record cannot be understood.
    #[error("record {seq}: its \"{field}\" cannot be understood: {why}")]
    Unreadable {
        /// The record's number.
        seq: u64,
        /// The field.
        field: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A record speaks of an authored thing that the recording does not hold, or that cannot be used.
    #[error("record {seq}: {why}")]
    Asset {
        /// The record's number.
        seq: u64,
        /// What is wrong.
        why: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
}
