//! What is written down of a run and of a turn.

use super::record::without_fractions;
use super::run_timeline::RunTimeline;
use crate::base::canonical::Digest;
use crate::pipeline::mutation::AppliedChanges;
use crate::pipeline::{
    ApprovedIntents, AttemptLog, AttemptRecord, ConstraintSet, Inference, InteractionContext,
    MutationReport, Outcome, RetrievedContext, Run,
};
use crate::world::TurnRecord;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A hash before and after.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BeforeAfter {
    pub before: Digest,
    pub after: Digest,
}

impl BeforeAfter {
    fn to_json(self) -> Value {
        json!({"before": self.before.to_hex(), "after": self.after.to_hex()})
    }
}

/// What an engine answered, as it is written down: its bytes, the borders at which they arrived, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    /// The bytes as text; none when they are no UTF-8.
    pub text: Option<String>,
    /// The bytes in hexadecimal, when they are no UTF-8.
    pub hex: Option<String>,
    /// Where each chunk ended.
    #[serde(rename = "borders")]
    pub chunk_ends: Vec<usize>,
    /// Whether the engine cut the reply.
    pub cut: bool,
    /// Why there is no reply, when there is none: kind and message.
    pub error: Option<(String, String)>,
    /// Whether an answer never came: the run ended before.
    pub pending: bool,
}

impl RecordedReply {
    fn of(record: &AttemptRecord) -> Self {
        let Inference {
            bytes,
            chunk_ends,
            finish,
            ..
        } = &record.arrived;
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        let hex = text.is_none().then(|| to_hex(bytes));
        let error = record.error.map(|kind| {
            let message = record.error_message.clone().unwrap_or_default();
            (format!("{kind:?}"), message)
        });
        Self {
            pending: record.reply.is_none() && error.is_none(),
            text,
            hex,
            chunk_ends: chunk_ends.clone(),
            cut: *finish == crate::proposal::Finish::Length,
            error,
        }
    }

    /// The bytes again; nothing for what is no hexadecimal.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match (&self.text, &self.hex) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(hex)) => from_hex(hex).unwrap_or_default(),
            (None, None) => Vec::new(),
        }
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}

/// The body of a run's record.
pub(super) fn of_run(
    world: &World,
    run: Entity,
    run_timeline: &RunTimeline,
    mind: BeforeAfter,
    judged: BeforeAfter,
    identity: &Value,
) -> Option<Map<String, Value>> {
    let it = world.get::<Run>(run)?;
    let context = world.get::<InteractionContext>(run)?;
    let outcome = world.get::<Outcome>(run)?;
    let log = world.get::<AttemptLog>(run)?;
    let report = world
        .get::<MutationReport>(run)
        .cloned()
        .unwrap_or_default();
    let intents = world
        .get::<ApprovedIntents>(run)
        .cloned()
        .unwrap_or_default();
    let changes = world
        .get::<AppliedChanges>(run)
        .cloned()
        .unwrap_or_default();
    let constraints = world.get::<ConstraintSet>(run);
    let memory = world.get::<RetrievedContext>(run);
    let tier = match outcome {
        Outcome::Fallback { tier, .. } => Some(tier),
        _ => None,
    };
    let body = json!({
        "context": context,
        "timetable": run_timeline,
        "bytes": log.0.iter().map(RecordedReply::of).collect::<Vec<_>>(),
        "npc": it.npc(),
        "stage": it.stage().snake_case(),
        "policy": it.policy(),
        "identity": identity,
        "constraints": constraints.map(|set| &set.constraints),
        "memory": memory.map(RetrievedContext::summary),
        "attempts": log.0.iter().map(attempt).collect::<Vec<_>>(),
        "outcome": {"name": outcome.name(), "line": outcome.line(), "tier": tier},
        "effects": {
            "memories": report.done,
            "failures": report.failures,
            "rejected": report.rejected,
            "intents": intents.0,
            "changes": changes.0,
        },
        "mind": mind.to_json(),
        "world": judged.to_json(),
    });
    into_map(body)
}

fn attempt(record: &AttemptRecord) -> Value {
    let constraints: Vec<Value> = record
        .constraints
        .iter()
        .map(|(id, kind, severity)| json!([id, kind, severity]))
        .collect();
    let proposal = match &record.proposal {
        None => Value::Null,
        Some(Ok(proposal)) => json!({ "read": proposal }),
        Some(Err(error)) => json!({ "invalid": error }),
    };
    json!({
        "index": record.index,
        "seed": record.seed,
        "constraints": constraints,
        "prompt": record.prompt,
        "sections": record.sections,
        "cut": record.cut,
        "snapshot": record.snapshot.to_hex(),
        "error": record.error,
        "message": record.error_message,
        "proposal": proposal,
        "verdict": record.verdict,
        "passed": record.passed,
    })
}

/// The body of a turn's record. `asked_at` is when it was taken.
pub(super) fn of_turn(record: &TurnRecord, judged: BeforeAfter) -> Option<Map<String, Value>> {
    let body = json!({
        "asked": {
            "kind": record.kind,
            "actor": record.actor,
            "text": record.text,
            "parsed": record.parsed,
        },
        "id": record.id,
        "actor": record.actor,
        "rejected": record.rejected,
        "clarification": record.clarification,
        "actions": record.actions,
        "changes": record.changes,
        "rulebook": record.rulebook.to_hex(),
        "world": judged.to_json(),
    });
    into_map(body)
}

/// The fields of a JSON object, without fractions.
pub(super) fn into_map(value: Value) -> Option<Map<String, Value>> {
    let Value::Object(map) = value else {
        return None;
    };
    let fields = map.into_iter().map(|(key, value)| {
        // What was asked is fed in again just as it was.
        let exact = key == "asked";
        let value = if exact {
            value
        } else {
            without_fractions(value)
        };
        (key, value)
    });
    Some(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_come_back() {
        let record = AttemptRecord {
            arrived: Inference {
                bytes: vec![0xff, 0x00, b'a'],
                chunk_ends: vec![1, 3],
                ..Inference::default()
            },
            ..AttemptRecord::default()
        };
        let reply = RecordedReply::of(&record);
        assert_eq!(reply.hex.as_deref(), Some("ff0061"));
        assert_eq!(reply.bytes(), [0xff, 0x00, b'a']);
        assert!(reply.pending);
        assert_eq!(from_hex("f"), None);
        assert_eq!(from_hex("zz"), None);
    }
}
