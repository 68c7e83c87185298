//! The lines of an export, as they are written and as they are read.

use super::error::ExportError;
use super::limits::{MAX_BYTES, MAX_DEPTH, MAX_LINE, MAX_VALUES, at_most};
use crate::authoring::AssetSource;
use crate::base::canonical::{Digest, canonical_json};
use crate::base::time::GameTime;
use crate::journal::record::{Record, RecordKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub dramatis_export: u64,
    pub records: u64,
    pub assets: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetLine {
    pub asset: String,
    pub source: AssetSource,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordLine {
    pub seq: u64,
    pub kind: String,
    pub game: i64,
    pub subject: Option<String>,
    pub body: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LastLine {
    pub blake3: String,
}

impl From<Record> for RecordLine {
    fn from(record: Record) -> Self {
        Self {
            seq: record.seq,
            kind: record.kind.name().to_owned(),
            game: record.game.0,
            subject: record.subject,
            body: record.body,
        }
    }
}

impl RecordLine {
    /// The record; `None` when its kind is unknown.
    pub fn into_record(self) -> Option<Record> {
        Some(Record {
            seq: self.seq,
            kind: RecordKind::named(&self.kind)?,
            game: GameTime(self.game),
            subject: self.subject,
            body: self.body,
        })
    }
}

/// How many values a line of JSON holds at most, and how deep it is nested. It need not be well formed.
pub(super) fn measure(line: &[u8]) -> (u64, usize) {
    let (mut values, mut depth, mut deepest) = (1, 0_usize, 0);
    let mut bytes = line.iter();
    let mut quoted = false;
    while let Some(byte) = bytes.next() {
        match (quoted, byte) {
            (_, b'"') => quoted = !quoted,
            (true, b'\\') => {
                bytes.next();
            }
            (false, b'[' | b'{') => {
                values += 1;
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            (false, b',') => values += 1,
            _ => {}
        }
    }
    (values, deepest)
}

/// A file that is written line by line.
pub(super) struct Written<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
    bytes: u64,
    values: u64,
}

impl<'a> Written<'a> {
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            hasher: blake3::Hasher::new(),
            bytes: 0,
            values: 0,
        }
    }

    /// Writes a line, unless no import would take it.
    pub fn line(&mut self, line: &impl Serialize) -> Result<(), ExportError> {
        let mut line = canonical_json(&json!(line));
        let (values, depth) = measure(line.as_bytes());
        self.values += values;
        at_most("levels in a record", depth as u64, MAX_DEPTH as u64)?;
        at_most("values", self.values, MAX_VALUES)?;
        at_most("bytes in a line", line.len() as u64, MAX_LINE as u64)?;
        line.push('\n');
        self.bytes += line.len() as u64;
        at_most("bytes", self.bytes, MAX_BYTES)?;
        self.hasher.update(line.as_bytes());
        let written = self.out.write_all(line.as_bytes());
        written.map_err(|error| ExportError::Write(error.kind()))
    }

    /// The hash of what was written so far.
    pub fn hash(&self) -> String {
        Digest(*self.hasher.finalize().as_bytes()).to_hex()
    }

    pub fn finish(self) -> Result<(), ExportError> {
        let flushed = self.out.flush();
        flushed.map_err(|error| ExportError::Write(error.kind()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j5_a_line_is_measured_before_it_is_parsed() {
        assert_eq!(measure(b"1"), (1, 0));
        assert_eq!(measure(br#"{"a":[1,2],"b,[\"[":{}}"#), (6, 2));
        assert_eq!(measure(&b"[".repeat(1_000)), (1_001, 1_000));
        assert_eq!(measure(b"]]]\"\\"), (1, 0));
    }
}
