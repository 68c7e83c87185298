//! Why a recording cannot become a scenario.

use crate::journal::ReplayError;
use crate::replay::regate::ReplyKey;
use thiserror::Error;

/// Why something cannot be said in a scenario.
pub(super) type Unsayable = &'static str;

/// Why something could not be written down.
pub(super) enum NotWritten {
    Unsayable(Unsayable),
    /// There is no such reply.
    NoReply,
    Recording(ReplayError),
}

impl From<Unsayable> for NotWritten {
    fn from(why: Unsayable) -> Self {
        Self::Unsayable(why)
    }
}

impl From<ReplayError> for NotWritten {
    fn from(error: ReplayError) -> Self {
        Self::Recording(error)
    }
}

/// Why a recorded run, turn or plan cannot become a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum NoScenario {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] ReplayError),
    /// The record has no such reply. Or it is the turn of an actor that does nothing, or that was given a reply, which it never has.
    #[error("record {} has no attempt {} that can be judged", .0.seq, .0.attempt)]
    NoReply(ReplyKey),
    /// A turn of several actions should fail, and a scenario would have to say which of them. The number of its record, from 1.
    #[error("record {0} has several actions: it does not say which of them should fail")]
    Several(u64),
    /// What came before does not replay, so the game at its beginning is not known.
    #[error("the recording does not replay up to record {at}: {why}")]
    Differs {
        /// The number of the last record before it.
        at: u64,
        /// What differs first, for people.
        why: String,
    },
    /// Something happened that no step says.
    #[error("record {seq} cannot be a scenario: {why}")]
    Record {
        /// The number of the record, from 1.
        seq: u64,
        /// Why not, for people.
        why: &'static str,
    },
}
