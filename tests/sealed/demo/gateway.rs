//! The gateway: the only way from an artifact to an effect. It trusts no input, not even from the code that wrote the artifact.

use super::artifact::sha256_hex;
use super::artifact_rules;
use super::decide::{Decision, ENVELOPE, Payload, Reason};
use super::order;
use std::fs;
use std::path::Path;

/// The authoritative output. It exists only if something was executed.
pub const OUTPUT_FILE: &str = "stdout.raw.kv";

/// An accepted payload. Only [`admit`] makes one, so no other payload can be executed.
#[derive(Debug)]
pub struct Accepted(Payload);

/// What a valid artifact asks of the gateway.
#[derive(Debug)]
pub enum Admission {
    Accepted(Accepted),
    Rejected(Reason),
}

/// Judges an artifact again, from its bytes; returns the codes of the broken rules, if there are any.
pub fn admit(artifact_bytes: &[u8]) -> Result<Admission, Vec<String>> {
    Ok(match artifact_rules::read(artifact_bytes)? {
        Decision::Accept(payload) => Admission::Accepted(Accepted(payload)),
        Decision::Reject { reason, .. } => Admission::Rejected(reason),
    })
}

impl Accepted {
    /// Executes the payload. `None` for what this demo cannot do: a route other than the envelope, or a step from another state than the
    /// order's.
    pub fn execute(self) -> Option<String> {
        match self.0 {
            Payload::Route(route) if route == ENVELOPE => Some(format!(
                "intent={}\ntarget={}\n",
                route.intent, route.target
            )),
            Payload::Transition(step) if step.previous() == order::START => Some(format!(
                "order_id={}\nprevious_state={}\nevent={}\ncurrent_state={}\nterminal={}\n",
                order::ORDER_ID,
                step.previous().token(),
                step.event().token(),
                step.current().token(),
                step.current().is_terminal(),
            )),
            Payload::Route(_) | Payload::Transition(_) => None,
        }
    }
}

/// The result of an artifact at the gateway.
#[derive(Debug, PartialEq, Eq)]
pub enum Passage {
    Executed {
        output_sha256: String,
    },
    NotExecuted {
        reason: Reason,
    },
    /// The artifact was accepted, but the demo cannot execute it.
    Failed {
        why: String,
    },
    /// The bytes are not an artifact at all: a boundary violation.
    Refused {
        codes: Vec<String>,
    },
}

impl Passage {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Executed { .. } | Self::NotExecuted { .. } => 0,
            Self::Failed { .. } => 1,
            Self::Refused { .. } => 2,
        }
    }
}

/// Executes an artifact, or refuses it. Only an execution writes [`OUTPUT_FILE`] into `run_dir`.
pub fn pass(artifact_bytes: &[u8], run_dir: &Path) -> Passage {
    let accepted = match admit(artifact_bytes) {
        Ok(Admission::Accepted(accepted)) => accepted,
        Ok(Admission::Rejected(reason)) => return Passage::NotExecuted { reason },
        Err(codes) => return Passage::Refused { codes },
    };
    let Some(output) = accepted.execute() else {
        let why = "the demo cannot carry this out".into();
        return Passage::Failed { why };
    };
    match fs::write(run_dir.join(OUTPUT_FILE), &output) {
        Ok(()) => Passage::Executed {
            output_sha256: sha256_hex(output.as_bytes()),
        },
        Err(error) => Passage::Failed {
            why: format!("cannot write {OUTPUT_FILE}: {error}"),
        },
    }
}
