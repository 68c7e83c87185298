//! Reads an export from any source: line by line, each one bounded and checked before it is kept.

use super::error::ExportError;
use super::limits::{MAX_ASSETS, MAX_BYTES, MAX_DEPTH, MAX_LINE, MAX_RECORDS, MAX_VALUES, VERSION};
use super::lines::{AssetLine, Header, LastLine, RecordLine, measure};
use crate::base::canonical::{Digest, canonical_json};
use crate::journal::Recording;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, ErrorKind, Read};
use thiserror::Error;

/// The problem of a line. The message repeats nothing of the line: it may contain anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
enum ImportProblem {
    /// The file cannot be read. The kind of the error is that of the operating system.
    #[error("the file cannot be read: {0}")]
    Read(ErrorKind),
    /// The file is not an export: its first line is not the header of one.
    #[error("this is not an export of a session")]
    NotAnExport,
    /// The export is of this version of the format, which is another one than `VERSION`.
    #[error("the export is of version {0}, which this program does not know")]
    Version(u64),
    /// There is more than an import takes.
    #[error("there are more than {limit} {what}")]
    TooMuch {
        /// What there is too much of, as a part of the message, for instance `records`.
        what: &'static str,
        /// How much of it an import takes.
        limit: u64,
    },
    /// The file ends too early: a line is missing, or ends without its line feed.
    #[error("the file is cut off after this line: copy it again")]
    Truncated,
    /// The line is not JSON, from some place on.
    #[error("this is not JSON, from column {column}")]
    NotJson {
        /// The column at which the error was found, in bytes from 1.
        column: usize,
    },
    /// The line is not in the canonical encoding: two readers could read two things.
    #[error("this is not in the canonical encoding")]
    NotCanonical,
    /// The line does not belong here. The text says what should be here, for instance `record`.
    #[error("this is not the expected {0}")]
    Shape(&'static str),
    /// The record is of a kind that this version of the crate does not know.
    #[error("the record is of a kind that this program does not know")]
    UnknownKind,
    /// The record has another number than its place says.
    #[error("this should be record {expected}")]
    Gap {
        /// The number that it should have.
        expected: u64,
    },
    /// The asset is not what its hash says: it was changed after it was written.
    #[error("the content of this asset does not match its hash")]
    AssetHash,
    /// An earlier line holds an asset with the same hash.
    #[error("an earlier line holds the same asset")]
    DuplicateAsset,
    /// The lines before are not what the last line says: the file was changed after it was written.
    #[error(
        "the file was changed after the export: its content does not match the hash in the last line"
    )]
    Hash,
    /// There is more after the last line, where the file should end.
    #[error("something comes after the last line")]
    Trailing,
}

use ImportProblem as P;

/// Reads an export. Any bytes are safe: see the module.
///
/// It does not check seals and the connections between records; [`replay`](crate::replay::replay) does that.
///
/// # Errors
/// [`ExportError::Line`]: the first thing that is wrong, and its line.
pub fn import(input: impl BufRead) -> Result<Recording, ExportError> {
    let mut lines = Lines::new(input);
    let recording = lines.recording();
    recording.map_err(|problem| ExportError::Line {
        line: lines.line,
        why: problem.to_string(),
    })
}

/// A file that is read line by line.
struct Lines<R> {
    input: R,
    hasher: blake3::Hasher,
    /// The number of the line that was read last.
    line: u64,
    bytes: u64,
    values: u64,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            hasher: blake3::Hasher::new(),
            line: 0,
            bytes: 0,
            values: 0,
        }
    }

    fn recording(&mut self) -> Result<Recording, P> {
        let header = self.header()?;
        let mut recording = Recording::default();
        for _ in 0..header.assets {
            let AssetLine { asset, source } = self.parsed("asset")?;
            if source.digest().to_hex() != asset {
                return Err(P::AssetHash);
            }
            if recording.assets.insert(asset, source).is_some() {
                return Err(P::DuplicateAsset);
            }
        }
        for expected in 1..=header.records {
            let record: RecordLine = self.parsed("record")?;
            if record.seq != expected {
                return Err(P::Gap { expected });
            }
            let record = record.into_record().ok_or(P::UnknownKind)?;
            recording.records.push(record);
        }
        let hash = Digest(*self.hasher.finalize().as_bytes()).to_hex();
        let last: LastLine = self.parsed("hash of the lines before")?;
        if last.blake3 != hash {
            return Err(P::Hash);
        }
        match self.read(1)?.as_slice() {
            [] => Ok(recording),
            _ => Err(P::Trailing),
        }
    }

    fn header(&mut self) -> Result<Header, P> {
        // If the user picked the wrong file, the error says so, whatever else is wrong with it.
        let line = self.next_line()?;
        let header = self.value(&line).map_err(|problem| match problem {
            P::NotJson { .. } | P::NotCanonical => P::NotAnExport,
            other => other,
        })?;
        let version = header.get("dramatis_export").and_then(Value::as_u64);
        match version {
            None => return Err(P::NotAnExport),
            Some(VERSION) => {}
            Some(other) => return Err(P::Version(other)),
        }
        let header: Header =
            serde_json::from_value(header).map_err(|_| P::Shape("header of an export"))?;
        at_most("records", header.records, MAX_RECORDS)?;
        at_most("assets", header.assets, MAX_ASSETS)?;
        Ok(header)
    }

    /// The next line as what it should be.
    fn parsed<T: DeserializeOwned>(&mut self, what: &'static str) -> Result<T, P> {
        let line = self.next_line()?;
        let value = self.value(&line)?;
        // A parser's words may repeat those of the file.
        let parsed = serde_json::from_value(value).map_err(|_| P::Shape(what))?;
        Ok(parsed)
    }

    fn value(&mut self, line: &[u8]) -> Result<Value, P> {
        let (values, depth) = measure(line);
        self.values = self.values.saturating_add(values);
        at_most("values", self.values, MAX_VALUES)?;
        at_most("levels in a line", depth as u64, MAX_DEPTH as u64)?;
        let value: Value = serde_json::from_slice(line).map_err(|error| P::NotJson {
            column: error.column(),
        })?;
        if canonical_json(&value).as_bytes() != line {
            return Err(P::NotCanonical);
        }
        Ok(value)
    }

    /// The next line, without its end.
    fn next_line(&mut self) -> Result<Vec<u8>, P> {
        let mut line = self.read(MAX_LINE as u64 + 1)?;
        if line.last() != Some(&b'\n') {
            at_most("bytes in a line", line.len() as u64, MAX_LINE as u64)?;
            return Err(P::Truncated);
        }
        self.hasher.update(&line);
        line.pop();
        Ok(line)
    }

    /// Bytes up to the end of the line, never more than `limit`.
    fn read(&mut self, limit: u64) -> Result<Vec<u8>, P> {
        self.line += 1;
        let mut bytes = Vec::new();
        let mut input = self.input.by_ref().take(limit);
        let read = input.read_until(b'\n', &mut bytes);
        read.map_err(|error| P::Read(error.kind()))?;
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        at_most("bytes", self.bytes, MAX_BYTES)?;
        Ok(bytes)
    }
}

fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), P> {
    if found > limit {
        return Err(P::TooMuch { what, limit });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] = b"{\"assets\":0,\"dramatis_export\":1,\"records\":0}\n";

    fn problem(change: impl FnOnce(&mut Lines<&[u8]>)) -> Option<P> {
        let mut lines = Lines::new(HEADER);
        change(&mut lines);
        lines.recording().err()
    }

    #[test]
    fn j5_all_lines_together_are_bounded() {
        assert_eq!(problem(|_| {}), Some(P::Truncated));
        let (what, limit) = ("bytes", MAX_BYTES);
        let full = problem(|lines| lines.bytes = MAX_BYTES - HEADER.len() as u64 + 1);
        assert_eq!(full, Some(P::TooMuch { what, limit }));
        let last = problem(|lines| lines.bytes = MAX_BYTES - HEADER.len() as u64);
        assert_eq!(last, Some(P::Truncated));
        let (what, limit) = ("values", MAX_VALUES);
        let full = problem(|lines| lines.values = MAX_VALUES);
        assert_eq!(full, Some(P::TooMuch { what, limit }));
    }
}
