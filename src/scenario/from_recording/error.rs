//! Why a recording cannot become a scenario.

use crate::base::ids::Id;
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
}

impl From<Unsayable> for NotWritten {
    fn from(why: Unsayable) -> Self {
        Self::Unsayable(why)
    }
}

/// Why a recorded run, turn or plan cannot become a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoScenario {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] ReplayError),
    /// There is no such reply; or the turn of an actor that is wished for does nothing, or was given a reply, which it never has.
    #[error("record {} has nothing to judge as an attempt {}", .0.seq, .0.attempt)]
    NoReply(ReplyKey),
    /// A turn of several actions is to fail: a scenario would have to say which of them. The number of its record, from 1.
    #[error("record {0} is of several actions: which of them is to fail is not known")]
    Several(u64),
    /// More records lead to the reply than are read for one scenario. The number is the most that are read.
    #[error("more than {0} records lead to the reply")]
    TooLong(usize),
    /// Something happened that no step says.
    #[error("record {seq} cannot stand in a scenario: {why}")]
    Record {
        /// The number of the record, from 1.
        seq: u64,
        /// Why not, for people.
        why: &'static str,
    },
    /// The game has a setting that no scenario has.
    #[error("the game has {0}, which a scenario cannot say")]
    Setting(&'static str),
    /// At the beginning a character is another one than its file says.
    #[error(
        "at the beginning {0} remembers more than its file says: let the recording begin with the game"
    )]
    Mind(Id),
    /// A file of the game has a form that cannot stand inside another file.
    #[error("the scenario could not be read: {0}")]
    NotRead(String),
}
