//! Where in a recording secrets are looked for, and what only looks like one.

use super::patterns::is_secret_name;
use super::redact::Redactor;
use super::secrets::Found;
use crate::authoring::AssetSource;
use crate::journal::record::Record;
use aho_corasick::BuildError;
use serde_json::{Map, Value};

/// Reads a recording for the first time, to learn what is secret in it.
pub(super) struct Finder {
    pub found: Found,
}

impl Finder {
    pub fn asset(&mut self, source: &AssetSource) {
        self.found.look(&source.file);
        self.found.look(&source.text);
        for (path, text) in &source.parts {
            self.found.look(path);
            self.found.look(text);
        }
    }

    pub fn record(&mut self, record: &Record) {
        self.found
            .look(record.subject.as_deref().unwrap_or_default());
        self.map(&record.body, Place::Body);
    }

    fn map(&mut self, map: &Map<String, Value>, place: Place) {
        for (key, value) in map {
            self.found.look(key);
            self.value(value, place.field(key));
        }
    }

    fn value(&mut self, value: &Value, place: Place) {
        match value {
            Value::String(text) if place.is_own(text) => {}
            Value::String(text) if place == Place::Secret => self.found.named(text),
            Value::String(text) if place == Place::Hex => self.found.look(&text_of_hex(text)),
            Value::String(text) => self.found.look(text),
            Value::Array(items) => {
                let place = place.item();
                items.iter().for_each(|item| self.value(item, place));
            }
            Value::Object(map) => self.map(map, place),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub fn into_redactor(self) -> Result<Redactor, BuildError> {
        Ok(Redactor::new(self.found.into_secrets()?))
    }
}

/// Where in a record a value stands: hashes are told from secrets by their place, for they look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Body,
    Game,
    Cast,
    Span,
    Attempts,
    Attempt,
    Replies,
    Reply,
    Seals,
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

impl Place {
    pub fn field(self, name: &str) -> Self {
        match (self, name) {
            (Self::Secret, _) => Self::Secret,
            (Self::Body, "asset") | (Self::Game, "story") | (Self::Cast, _) => Self::Asset,
            (Self::Body, "game") => Self::Game,
            (Self::Body, "mind" | "world") => Self::Span,
            (Self::Body, "attempts") => Self::Attempts,
            (Self::Body, "bytes") => Self::Replies,
            (Self::Body, "seals") => Self::Seals,
            (Self::Game, "cast") => Self::Cast,
            (Self::Body, "rulebook")
            | (Self::Span, "before" | "after")
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

/// The text between the bytes that are none; the digits themselves when they are no hexadecimal.
pub(super) fn text_of_hex(hex: &str) -> String {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let Some(digits) = digits else {
        return hex.to_owned();
    };
    let bytes: Vec<u8> = digits
        .chunks_exact(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}
