//! The records of a run: ids, trace, manifest. They are derived, and no code reads them to decide anything.
//!
//! No record holds a time or an absolute path, so two equal runs leave equal records.

use super::artifact::{ARTIFACT_FILE, PROPOSAL_SET_FILE, sha256_hex};
use super::artifact_rules::is_absolute_path;
use super::gateway::OUTPUT_FILE;
use super::json;
use serde_json::{Value, json};
use std::path::Path;

pub const TRACE_FILE: &str = "trace.jsonl";
pub const MANIFEST_FILE: &str = "manifest.json";

/// The run's name, from its input alone.
pub fn run_id(input: &[u8]) -> String {
    let digest = sha256_hex(&[b"M3_RUN_ID_V1", input].concat());
    format!("run_{}", &digest[..12])
}

/// The hashes of the inputs and outputs of a run.
pub struct Hashes {
    pub input: String,
    pub proposal_set: String,
    pub artifact: String,
}

impl Hashes {
    /// The name of the run and of all that it produced.
    pub fn m4_id(&self) -> String {
        let parts = [&self.input, &self.proposal_set, &self.artifact, "m4"];
        let digest = sha256_hex(parts.concat().as_bytes());
        format!("m4_{}", &digest[..16])
    }
}

/// The name of an outside input file in records.
pub fn external_ref(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!("[external]:{}", name.to_string_lossy())
}

/// The events of a run, numbered in their order.
#[derive(Default)]
pub struct Trace(Vec<Value>);

impl Trace {
    pub fn note(&mut self, event: &str) {
        let seq = self.0.len();
        self.0.push(json!({ "seq": seq, "event": event }));
    }

    pub fn note_hash(&mut self, event: &str, sha256: &str) {
        let seq = self.0.len();
        self.0
            .push(json!({ "seq": seq, "event": event, "sha256": sha256 }));
    }

    /// One event on each line.
    pub fn into_text(self) -> Result<String, UnfitRecord> {
        self.0
            .into_iter()
            .map(|event| checked(event).map(json::line))
            .collect()
    }
}

/// What a run's manifest says in addition to its hashes.
pub struct Manifest<'r> {
    pub run_id: &'r str,
    pub input_ref: String,
    pub hashes: &'r Hashes,
    pub decision: &'r str,
    /// OK, SKIP or FAILED.
    pub status: &'r str,
    /// The hash of the authoritative output, never its content.
    pub output_sha256: Option<&'r str>,
}

impl Manifest<'_> {
    pub fn into_text(self) -> Result<String, UnfitRecord> {
        let outputs: Vec<Value> = self
            .output_sha256
            .map(|sha256| json!({ "path": OUTPUT_FILE, "sha256": sha256 }))
            .into_iter()
            .collect();
        let manifest = json!({
            "run_id": self.run_id,
            "m4_id": self.hashes.m4_id(),
            "input": { "ref": self.input_ref, "sha256": self.hashes.input },
            "proposal_set": { "path": PROPOSAL_SET_FILE, "sha256": self.hashes.proposal_set },
            "artifact": { "path": ARTIFACT_FILE, "sha256": self.hashes.artifact },
            "decision": self.decision,
            "status": self.status,
            "authoritative_outputs": outputs,
        });
        checked(manifest).map(json::pretty)
    }
}

/// A record that the program must not write.
#[derive(Debug, thiserror::Error)]
#[error("a record holds an absolute path: {0}")]
pub struct UnfitRecord(String);

/// The record itself, if no text in it is an absolute path.
pub fn checked(record: Value) -> Result<Value, UnfitRecord> {
    let mut left = vec![&record];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) if is_absolute_path(text) => {
                return Err(UnfitRecord(text.clone()));
            }
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
    }
    Ok(record)
}
