//! Why a reply can be no proposal.

use serde::Serialize;
use thiserror::Error;

/// The ways in which a reply can be no proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) enum InvalidKind {
    /// Nothing is left after byte-order marks, thinking blocks and white space.
    Empty,
    /// The reply has more than `MAX_REPLY_BYTES` bytes.
    Oversized,
    /// The bytes of the reply are not UTF-8.
    NotUtf8,
    /// The JSON of the envelope is nested deeper than 32 levels.
    TooDeep,
    /// The JSON does not parse, or holds a number that no `f64` can hold.
    Json,
    /// A known field is of the wrong JSON type.
    WrongType,
    /// An entry of `mutations` or of the intents is no object.
    NotAnObject,
    /// The reply holds more than one envelope.
    SeveralEnvelopes,
    /// The reply is for machines: a tool call, a token that no template is known to have, a bare JSON value.
    Machine,
    /// The envelope has no `dialogue`, and no `dialogueText` in its place. `null` counts as missing.
    MissingDialogue,
    /// The engine cut the reply, and no whole sentence or no whole envelope is left.
    Truncated,
    /// The reply has no word of speech, and no intent that could replace it.
    NoSpeech,
    /// The reply was spoken sentence by sentence, and its end gives another meaning to the heard sentences: a fence or a
    /// thinking block ends after speech, or a field appears twice.
    Changed,
}

impl InvalidKind {
    /// The name of this kind as a rule id in verdicts and traces.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Oversized => "oversized",
            Self::NotUtf8 => "not_utf8",
            Self::TooDeep => "too_deep",
            Self::Json => "json",
            Self::WrongType => "wrong_type",
            Self::NotAnObject => "not_an_object",
            Self::SeveralEnvelopes => "several_envelopes",
            Self::Machine => "machine_text",
            Self::MissingDialogue => "missing_dialogue",
            Self::Truncated => "truncated",
            Self::NoSpeech => "no_speech",
            Self::Changed => "changed",
        }
    }
}

/// A reply that is no proposal: of which kind, and why in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
pub(crate) struct InvalidFormat {
    /// What kind of mistake it is.
    pub(crate) kind: InvalidKind,
    /// The same in one sentence, for logs and for feedback to the engine. It quotes no more than field names.
    pub message: String,
}

impl InvalidFormat {
    pub(crate) fn new(kind: InvalidKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
    pub(super) fn machine() -> Self {
        Self::new(
            InvalidKind::Machine,
            "the reply holds text for machines, not speech",
        )
    }

    pub(super) fn several_envelopes() -> Self {
        Self::new(
            InvalidKind::SeveralEnvelopes,
            "the reply holds more than one envelope",
        )
    }
}
