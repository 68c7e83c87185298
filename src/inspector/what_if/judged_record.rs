//! What was judged in a record, as far as other replies and other rules can stand in for its own.

use crate::base::ids::Id;
use crate::journal::record::RecordBody;
use crate::journal::regate::ReplyKey;
use crate::journal::{Record, RecordKind};
use serde_json::Value;

/// What was judged in a record: a run, a turn of an actor, or what happened to a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedRecord {
    /// The number of the record, from 1.
    pub seq: u64,
    /// What it is of.
    pub kind: RecordKind,
    /// The id of who responded, acted, or asked for the plan.
    pub npc: Id,
    /// The attempts of a run of which there is a reply, in order. A turn and a plan have none: they are judged by other rules
    /// alone.
    pub attempts: Vec<RecordedAttempt>,
}

/// An attempt that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAttempt {
    /// Which reply of the recording it is.
    pub key: ReplyKey,
    /// The reply as the engine gave it, before anything was read of it.
    pub reply: String,
    /// Whether it passed; `None` where nothing was judged.
    pub passed: Option<bool>,
}

impl JudgedRecord {
    /// What was judged in this record. `None`: nothing was, or it cannot be read.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let inputs = match record.read().ok()? {
            RecordBody::Interaction { inputs, .. } => inputs,
            RecordBody::Turn { inputs, .. } => {
                return Some(Self {
                    seq: record.seq,
                    kind: record.kind,
                    npc: inputs.asked.actor,
                    attempts: Vec::new(),
                });
            }
            RecordBody::Plan { .. } => {
                let npc = record.body.get("npc")?.as_str()?;
                return Some(Self {
                    seq: record.seq,
                    kind: record.kind,
                    npc: Id::new(npc).ok()?,
                    attempts: Vec::new(),
                });
            }
            _ => return None,
        };
        let judged = record.body.get("attempts").and_then(Value::as_array);
        let attempts = (0..).zip(&inputs.replies).filter_map(|(attempt, reply)| {
            let is_answer = reply.error.is_none() && !reply.pending;
            let verdict = judged?
                .iter()
                .find(|judged| {
                    judged.get("index").and_then(Value::as_u64) == Some(u64::from(attempt))
                })
                .and_then(|judged| judged.get("verdict")?.get("passed")?.as_bool());
            Some(RecordedAttempt {
                key: ReplyKey {
                    seq: record.seq,
                    attempt,
                },
                reply: reply.text.clone().filter(|_| is_answer)?,
                passed: verdict,
            })
        });
        Some(Self {
            seq: record.seq,
            kind: record.kind,
            attempts: attempts.collect(),
            npc: inputs.context.npc,
        })
    }
}
