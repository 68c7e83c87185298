//! The artifact: the one authoritative record of a decision, byte for byte the same for the same proposal bytes.

use super::artifact_rules;
use super::decide::{self, Decision, Payload};
use super::json;
use super::order;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const VERSION: &str = "artifact_v1";

/// The names of a run's files in its folder. The artifact refers to the first two by these names.
pub const INPUT_FILE: &str = "input.raw";
pub const PROPOSAL_SET_FILE: &str = "proposal_set.raw";
pub const ARTIFACT_FILE: &str = "artifact.json";
pub const SIDECAR_FILE: &str = "artifact.json.sha256";

/// Decides, and writes the decision into an artifact. A pure function.
///
/// Any proposal bytes give an artifact. A run id that breaks its rule does not: then the function returns the codes of the rules that the
/// artifact would break.
pub fn artifact(run_id: &str, proposal_bytes: &[u8]) -> Result<Vec<u8>, Vec<String>> {
    let bytes = json::pretty(document(run_id, proposal_bytes)).into_bytes();
    artifact_rules::read(&bytes)?;
    Ok(bytes)
}

fn document(run_id: &str, proposal_bytes: &[u8]) -> Value {
    let judgement = decide::decide(proposal_bytes);
    let accepted = matches!(judgement.decision, Decision::Accept(_));
    let mut document = json!({
        "artifact_version": VERSION,
        "run_id": run_id,
        "input_ref": INPUT_FILE,
        "proposal_set_ref": PROPOSAL_SET_FILE,
        "decision": judgement.decision.word(),
        "construction": {
            "ruleset_id": decide::RULESET,
            "selected_proposal_index": accepted.then_some(0),
            "proposal_count": judgement.proposal_count,
            "validator_errors": judgement.validator_errors,
        },
    });
    match judgement.decision {
        Decision::Accept(payload) => document["accept_payload"] = accept_payload(payload),
        Decision::Reject { reason, notes } => {
            document["reject_payload"] = json!({ "reason_code": reason.code(), "notes": notes });
        }
    }
    document
}

fn accept_payload(payload: Payload) -> Value {
    match payload {
        Payload::Route(route) => {
            let mut words = json!({ "intent": route.intent, "target": route.target });
            if let Some(mode) = route.mode {
                words["mode"] = mode.into();
            }
            json!({ "kind": "ROUTE", "route": words })
        }
        Payload::Transition(transition) => json!({
            "kind": "STATE_TRANSITION",
            "transition": {
                "order_id": order::ORDER_ID,
                "previous_state": transition.previous().token(),
                "event": transition.event().token(),
                "current_state": transition.current().token(),
                "terminal": transition.current().is_terminal(),
            },
        }),
    }
}

/// The line for a file next to the artifact; `sha256sum --check` understands it.
pub fn sidecar(artifact_bytes: &[u8]) -> String {
    format!("{}  {ARTIFACT_FILE}\n", sha256_hex(artifact_bytes))
}

pub fn sha256_hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
