//! The first reading of a recording: it collects what is secret in it.

use super::position::Position;
use super::secrets::{FoundSecrets, Secrets};
use crate::authoring::AssetSource;
use crate::base::bytes::from_hex;
use crate::journal::record::Record;
use aho_corasick::BuildError;
use serde_json::{Map, Value};

/// Reads a recording for the first time, to learn what is secret in it.
pub(super) struct Finder {
    pub found: FoundSecrets,
}

impl Finder {
    pub(crate) fn read_asset(&mut self, source: &AssetSource) {
        self.found.search(&source.file);
        self.found.search(&source.text);
        for (path, text) in &source.parts {
            self.found.search(path);
            self.found.search(text);
        }
    }

    pub fn read_record(&mut self, record: &Record) {
        self.found
            .search(record.subject.as_deref().unwrap_or_default());
        self.map(&record.body, Position::Body);
    }

    fn map(&mut self, map: &Map<String, Value>, position: Position) {
        for (key, value) in map {
            self.found.search(key);
            self.value(value, position.field(key));
        }
    }

    pub fn value(&mut self, value: &Value, position: Position) {
        match value {
            Value::String(text) if position.is_own(text) => {}
            Value::String(text) if position == Position::Secret => self.found.add_named(text),
            Value::String(text) if position == Position::Hex => {
                self.found.search(&text_of_hex(text))
            }
            Value::String(text) => self.found.search(text),
            Value::Array(items) => {
                let position = position.item();
                items.iter().for_each(|item| self.value(item, position));
            }
            Value::Object(map) => self.map(map, position),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The secrets that are removed when the recording is read for the second time.
    pub fn into_secrets(self) -> Result<Secrets, BuildError> {
        self.found.into_secrets()
    }
}

/// The text between the bytes that are none; the digits themselves when they are no hexadecimal.
pub(super) fn text_of_hex(hex: &str) -> String {
    let Some(bytes) = from_hex(hex) else {
        return hex.to_owned();
    };
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}
