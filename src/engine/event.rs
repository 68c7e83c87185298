//! What a call reports while it is under way, and why it failed.

use super::reply::TokenUsage;
use crate::proposal::Finish;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a call failed. No variant ever holds a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The engine itself gave up waiting. The text says more, for people.
    #[error("the engine timed out: {0}")]
    Timeout(String),
    /// No connection to the engine can be made. The text says why, for people.
    #[error("cannot reach the engine: {0}")]
    Unreachable(String),
    /// The server answered with an error, as its status or inside its stream.
    #[error("the server answered {status}: {message}")]
    Status {
        /// The HTTP status; 200 when the error came inside the stream.
        status: u16,
        /// What the server said, cut to 500 characters.
        message: String,
    },
    /// The answer ended before it was whole. The text says how, for people.
    #[error("the answer was cut off: {0}")]
    Interrupted(String),
    /// The answer is not in the protocol that was agreed on. The text says what is wrong, for people.
    #[error("the server does not speak the protocol: {0}")]
    Protocol(String),
    /// The script has no reply left that fits.
    #[error("the script has no reply left that fits")]
    ScriptExhausted,
    /// The reply, or what it is wrapped in, is longer than allowed.
    #[error("the reply is longer than {limit} bytes")]
    Oversized {
        /// The limit that was passed, in bytes.
        limit: usize,
    },
    /// The bytes of the reply are not UTF-8.
    #[error("the reply is not UTF-8")]
    NotUtf8,
    /// The caller's own deadline passed. An engine that watches it ([`EngineRequest::time_left`](super::EngineRequest::time_left))
    /// and the run that waits report the same error, whichever notices it first.
    #[error("the run's deadline passed{recorded}")]
    Expired {
        /// What a record adds to the message; empty where the error does not come from a record.
        recorded: String,
    },
    /// The error of a call that failed, as a record holds it.
    #[error("{message}")]
    Recorded {
        /// The kind of the error, as it was recorded.
        kind: EngineErrorKind,
        /// The message that was recorded.
        message: String,
    },
}

/// The four kinds of [`EngineError`] that traces and scripts tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EngineErrorKind {
    /// No whole answer came in time.
    Timeout,
    /// Everything else on the way: refused, cut off, an error status, not the protocol.
    Transport,
    /// The reply is longer than allowed.
    Oversized,
    /// The bytes of the reply are not UTF-8.
    NotUtf8,
}

impl EngineError {
    /// The deadline passed, and no more is said of it.
    pub(crate) const EXPIRED: Self = Self::Expired {
        recorded: String::new(),
    };

    /// Its kind, for traces and for what is tried next.
    #[must_use]
    pub fn kind(&self) -> EngineErrorKind {
        match self {
            Self::Timeout(_) | Self::Expired { .. } => EngineErrorKind::Timeout,
            Self::Recorded { kind, .. } => *kind,
            Self::Oversized { .. } => EngineErrorKind::Oversized,
            Self::NotUtf8 => EngineErrorKind::NotUtf8,
            Self::Unreachable(_)
            | Self::Status { .. }
            | Self::Interrupted(_)
            | Self::Protocol(_)
            | Self::ScriptExhausted => EngineErrorKind::Transport,
        }
    }
}

/// What a call reports while it is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineEvent {
    /// The next bytes of the reply. A chunk may end anywhere, also inside a character. An empty one says only that the engine is
    /// at work.
    Chunk(Vec<u8>),
    /// What the model was thinking before it answered, where its server tells it apart. The player does not hear it and the gate
    /// does not judge it; the inspector shows it.
    Reasoning(String),
    /// How many tokens the call took, where the server tells it.
    Usage(TokenUsage),
    /// The reply is whole, or was cut at its limit of tokens; nothing follows.
    Finished(Finish),
    /// The call failed; nothing follows.
    Failed(EngineError),
}

impl EngineEvent {
    /// All events of a call that delivers this reply in one chunk and ends normally.
    pub fn whole_reply(bytes: impl Into<Vec<u8>>) -> Vec<Self> {
        vec![Self::Chunk(bytes.into()), Self::Finished(Finish::Stop)]
    }
}
