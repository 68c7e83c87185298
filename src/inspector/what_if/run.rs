//! A recorded run, as far as other replies can stand in for its own.

use crate::base::ids::Id;
use crate::journal::Record;
use crate::journal::record::RecordBody;
use crate::journal::regate::ReplyKey;
use serde_json::Value;

/// A run as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRun {
    /// The number of its record, from 1.
    pub seq: u64,
    /// The id of the character that responded.
    pub npc: Id,
    /// The attempts of which there is a reply, in order.
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

impl RecordedRun {
    /// The run of this record. `None`: it is of something else, or cannot be read.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let Ok(RecordBody::Interaction { inputs, .. }) = record.read() else {
            return None;
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
            attempts: attempts.collect(),
            npc: inputs.context.npc,
        })
    }
}
