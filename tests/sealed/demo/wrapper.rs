//! Looks at runs from outside: which output is authoritative, and whether two runs had the same result.
//!
//! It reads artifacts and hashes outputs. It never reads the content of an output, and never chooses among several outputs by their age.

use super::artifact::{ARTIFACT_FILE, sha256_hex};
use super::artifact_rules;
use super::decide::{Decision, Payload};
use super::gateway::OUTPUT_FILE;
use super::json;
use serde_json::json;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The deepest level at which a run folder can be; it bounds the search in an unknown folder.
const MAX_SEARCH_DEPTH: usize = 8;

/// The content of a run folder, as JSON, and the exit status with the same meaning.
pub struct Report {
    pub json: String,
    pub exit_code: u8,
}

/// Reports on a run folder. For a folder that does not exist, the report is empty.
///
/// An output counts as authoritative only when it is the only one and the artifact next to it says ACCEPT.
pub fn report(run_dir: &Path) -> io::Result<Report> {
    let mut outputs = Vec::new();
    find_outputs(run_dir, MAX_SEARCH_DEPTH, &mut outputs)?;
    let artifact_dir = match outputs.as_slice() {
        [only] => only.parent().unwrap_or(run_dir),
        _ => run_dir,
    };
    let decision = decision_in(artifact_dir);
    let word = decision.as_ref().map(Decision::word);
    let (status, exit_code, authoritative) = match outputs.as_slice() {
        [] => ("not_found", 2, None),
        [only] if word == Some("ACCEPT") => ("authoritative_found", 0, Some(only)),
        _ => ("ambiguous", 3, None),
    };
    let sha256 = match authoritative {
        Some(output) => Some(sha256_hex(&fs::read(output)?)),
        None => None,
    };
    let inside =
        authoritative.map(|output| slashed(output.strip_prefix(run_dir).unwrap_or(output)));
    let report = json!({
        "run_dir": run_dir.to_string_lossy(),
        "decision": word,
        "authoritative_stdout_path": inside,
        "authoritative_stdout_sha256": sha256,
        "discovery_status": status,
    });
    Ok(Report {
        json: json::pretty(report),
        exit_code,
    })
}

/// The search does not follow links: their targets may not belong to the run.
fn find_outputs(dir: &Path, depth_left: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_file() && entry.file_name() == OUTPUT_FILE {
            found.push(entry.path());
        } else if kind.is_dir() && depth_left > 0 {
            find_outputs(&entry.path(), depth_left - 1, found)?;
        }
    }
    Ok(())
}

fn decision_in(dir: &Path) -> Option<Decision> {
    let bytes = fs::read(dir.join(ARTIFACT_FILE)).ok()?;
    artifact_rules::read(&bytes).ok()
}

/// A path in a run folder, with the same spelling on every system.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Whether two runs had the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equivalent,
    NotEquivalent,
    /// One or both runs lack a fact: a missing fact is never equal to a missing one.
    Undecidable,
}

impl Comparison {
    pub fn word(self) -> &'static str {
        match self {
            Self::Equivalent => "EQUIVALENT",
            Self::NotEquivalent => "NOT_EQUIVALENT",
            Self::Undecidable => "UNDECIDABLE_UNDER_RULE_V1",
        }
    }

    /// The same scheme as the report's: 0 for a good result, 2 for another result, 3 for no result.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Equivalent => 0,
            Self::NotEquivalent => 2,
            Self::Undecidable => 3,
        }
    }
}

/// The facts by which runs are compared. A rejected run has neither an intent nor slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub status: Option<&'static str>,
    pub intent_id: Option<&'static str>,
    pub n_slots: Option<usize>,
}

impl Facts {
    /// The facts of a run folder; all of them are missing if it contains no valid artifact.
    pub fn of_run(run_dir: &Path) -> Self {
        let decision = decision_in(run_dir);
        let (intent_id, n_slots) = match &decision {
            Some(Decision::Accept(Payload::Route(route))) => (
                Some(route.intent),
                Some(1 + usize::from(route.mode.is_some())),
            ),
            // An event is the intent of a transition, and has no slots.
            Some(Decision::Accept(Payload::Transition(step))) => {
                (Some(step.event().token()), Some(0))
            }
            Some(Decision::Reject { .. }) | None => (None, None),
        };
        Self {
            status: decision.as_ref().map(Decision::word),
            intent_id,
            n_slots,
        }
    }

    /// Undecidable wins over different, and different wins over equal.
    pub fn compare(&self, other: &Self) -> Comparison {
        let same = [
            both(self.status, other.status),
            both(self.intent_id, other.intent_id),
            both(self.n_slots, other.n_slots),
        ];
        if same.contains(&None) {
            Comparison::Undecidable
        } else if same.contains(&Some(false)) {
            Comparison::NotEquivalent
        } else {
            Comparison::Equivalent
        }
    }
}

fn both<T: PartialEq>(left: Option<T>, right: Option<T>) -> Option<bool> {
    Some(left? == right?)
}
