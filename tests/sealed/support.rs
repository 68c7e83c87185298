//! Proposal sets for tests to start from, and runs in their own folders.

use crate::demo::artifact::artifact;
use crate::demo::artifact_rules::check;
use crate::demo::decide::{self, Decision};
use crate::demo::gateway::{Passage, pass};
use crate::demo::{cli, generator, json};
use bevy_dramatis::engine::SealedSeam;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

pub fn route(intent: &str, slots: Value) -> Value {
    json!({ "kind": "ROUTE_CANDIDATE", "payload": { "intent": intent, "slots": slots } })
}

pub fn status_of_alpha() -> Value {
    route("STATUS_QUERY", json!({ "target": "alpha" }))
}

pub fn transition(event_token: &str) -> Value {
    json!({ "kind": "STATE_TRANSITION_REQUEST", "payload": { "event_token": event_token } })
}

pub fn set_of(proposals: Vec<Value>) -> Value {
    json!({ "schema_version": "m1.0", "input": { "raw": "" }, "proposals": proposals })
}

pub fn bytes_of(set: &Value) -> Vec<u8> {
    set.to_string().into_bytes()
}

/// The reason and the notes of a REJECT.
pub fn rejected(bytes: &[u8]) -> (&'static str, Vec<String>) {
    match decide::decide(bytes).decision {
        Decision::Reject { reason, notes } => (reason.code(), notes),
        Decision::Accept(payload) => panic!("accepted {payload:?}"),
    }
}

/// The schema's codes for a set that must be invalid.
pub fn codes(set: &Value) -> Vec<String> {
    codes_of(&bytes_of(set))
}

pub fn codes_of(bytes: &[u8]) -> Vec<String> {
    assert_eq!(rejected(bytes).0, "INVALID_PROPOSALS");
    decide::decide(bytes).validator_errors
}

pub fn artifact_of(proposals: Vec<Value>) -> Vec<u8> {
    artifact("run_test", &bytes_of(&set_of(proposals))).unwrap()
}

pub fn value_of(artifact: &[u8]) -> Value {
    serde_json::from_slice(artifact).unwrap()
}

/// The codes of an artifact that must be invalid.
pub fn faults(artifact: &Value) -> Vec<String> {
    check(artifact).unwrap_err()
}

/// What the gateway does with an artifact, and the files it leaves.
pub fn passed(artifact: &Value) -> (Passage, Vec<String>) {
    let dir = tempdir().unwrap();
    let passage = pass(json::pretty(artifact.clone()).as_bytes(), dir.path());
    (passage, names_in(dir.path()))
}

/// An engine that always gives the same reply.
pub fn saying(reply: impl Into<Vec<u8>>) -> SealedSeam {
    let reply = reply.into();
    SealedSeam::bound(move |_: &[u8]| reply.clone())
}

pub fn generating() -> SealedSeam {
    SealedSeam::bound(generator::propose)
}

/// The output of a command-line call, and its status.
#[derive(Debug)]
pub struct Printed {
    pub stdout: String,
    pub stderr: String,
    pub exit: u8,
}

pub fn call(args: &[OsString], engine: &SealedSeam) -> Printed {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = cli::run(args, &mut stdout, &mut stderr, engine);
    Printed {
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
        exit,
    }
}

pub fn words(args: &[&str]) -> Vec<OsString> {
    args.iter().map(OsString::from).collect()
}

/// A folder for one test.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempdir().unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `input` through `engine` into the folder `out`.
    pub fn run(&self, input: &str, out: &str, engine: &SealedSeam) -> Printed {
        let input_file = self.path("wish.txt");
        fs::write(&input_file, input).unwrap();
        let args = [input_file.into(), "--out".into(), self.path(out).into()];
        call(&args, engine)
    }

    pub fn wrap(&self, run: &str) -> (Value, u8) {
        let args = ["--wrap".into(), self.path(run).into()];
        let printed = call(&args, &SealedSeam::unbound());
        let report = serde_json::from_str(&printed.stdout).unwrap();
        (report, printed.exit)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }
}

/// The names in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
