//! The position of a value in a record: it decides whether the value is a hash that stays, or a text that is searched.

use super::patterns::is_secret_name;

/// The position of a value in a record: hashes are told from secrets by their place, because they look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Body,
    Game,
    Cast,
    BeforeAfter,
    Attempts,
    Attempt,
    Replies,
    Reply,
    Seals,
    /// The stages of a turn of an adventure.
    Stages,
    Stage,
    /// Hashes of minds.
    Minds,
    /// The hash of an asset.
    Asset,
    /// Another hash.
    Hash,
    /// A hash, shortened.
    Seal,
    /// Bytes in hexadecimal.
    Hex,
    /// The name of a file.
    File,
    /// The value of a field that is secret by its name.
    Secret,
    Other,
}

impl Position {
    pub fn field(self, name: &str) -> Self {
        match (self, name) {
            (Self::Secret, _) => Self::Secret,
            (Self::Body, "asset") | (Self::Game, "story") | (Self::Cast, _) => Self::Asset,
            (Self::Body, "game") => Self::Game,
            (Self::Body, "mind" | "world") => Self::BeforeAfter,
            (Self::Body | Self::Stage, "attempts") => Self::Attempts,
            (Self::Body | Self::Reply, "bytes") => Self::Replies,
            (Self::Body, "stages") => Self::Stages,
            (Self::Body, "call") => Self::Stage,
            (Self::Body, "minds") => Self::Minds,
            (Self::Body, "seals") => Self::Seals,
            (Self::Game, "cast") => Self::Cast,
            (Self::Body, "rulebook" | "adventure")
            | (Self::Minds, _)
            | (Self::BeforeAfter, "before" | "after")
            | (Self::Attempt, "snapshot") => Self::Hash,
            (Self::Reply, "hex") => Self::Hex,
            (Self::Seals, _) => Self::Seal,
            (_, "file") => Self::File,
            _ if is_secret_name(name) => Self::Secret,
            _ => Self::Other,
        }
    }

    pub fn item(self) -> Self {
        match self {
            Self::Attempts => Self::Attempt,
            Self::Replies => Self::Reply,
            Self::Stages => Self::Stage,
            Self::Secret => Self::Secret,
            _ => Self::Other,
        }
    }

    /// Whether a text is what this crate writes in this place.
    pub fn is_own(self, text: &str) -> bool {
        let length = match self {
            Self::Asset | Self::Hash => 64,
            Self::Seal => 16,
            _ => return false,
        };
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == length && text.bytes().all(digit)
    }
}
