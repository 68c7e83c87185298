//! What was judged in a record, as far as other replies and other rules can replace its own.

use crate::base::ids::Id;
use crate::journal::record::{RecordBody, RecordedReply, RecordedStage};
use crate::journal::{Record, RecordKind};
use crate::plans::PlanStatus;
use crate::replay::regate::{ReplyKey, steps_reply};
use serde_json::Value;

/// What was judged in a record: a run, a turn of an actor, a turn of an adventure, or what happened to a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedRecord {
    /// The number of the record, from 1.
    pub seq: u64,
    /// What it is of.
    pub kind: RecordKind,
    /// The id of who responded, acted, or asked for the plan; of a turn of an adventure, whose turn it is.
    pub npc: Id,
    /// The ids of those whose files it may be judged by: of a turn of an adventure, of all whose intentions were made, told
    /// or read.
    pub judged_by: Vec<Id>,
    /// The attempts of a run, or of the stages of a turn of an adventure, of which there is a reply, in order; of a plan that was
    /// written the reply with its steps. A turn has none: it is judged by other rules alone.
    pub attempts: Vec<RecordedAttempt>,
}

/// An attempt that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAttempt {
    /// Which reply of the recording it is.
    pub(crate) key: ReplyKey,
    /// What it is called, such as `attempt 0`, or `narrator of ann, attempt 0`.
    pub title: String,
    /// The reply as the engine gave it, before anything was read of it.
    pub reply: String,
    /// Whether it passed; `None` where nothing was judged. Of a plan: whether it could be carried out without asking.
    pub passed: Option<bool>,
}

impl JudgedRecord {
    /// What was judged in this record. `None`: nothing was, or it cannot be read.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let without_replies = |npc: Id| Self {
            seq: record.seq,
            kind: record.kind,
            judged_by: vec![npc.clone()],
            npc,
            attempts: Vec::new(),
        };
        match record.read().ok()? {
            RecordBody::Interaction { inputs, .. } => Some(Self {
                attempts: attempts_of(record.seq, &inputs.replies, record.body.get("attempts")),
                ..without_replies(inputs.context.npc)
            }),
            RecordBody::AdventureTurn { inputs, .. } => {
                let mut judged_by: Vec<Id> = Vec::new();
                for npc in inputs.stages.iter().filter_map(|stage| stage.npc.clone()) {
                    if !judged_by.contains(&npc) {
                        judged_by.push(npc);
                    }
                }
                Some(Self {
                    judged_by,
                    attempts: stage_attempts(record, &inputs.stages),
                    ..without_replies(inputs.asked.persona)
                })
            }
            RecordBody::Turn { inputs, .. } => Some(without_replies(inputs.asked.actor)),
            RecordBody::Plan { inputs, .. } => {
                let npc = record.body.get("npc")?.as_str()?;
                let status = record
                    .body
                    .get("state")
                    .and_then(|state| state.get("status"));
                let steps = steps_reply(inputs.event).map(|reply| RecordedAttempt {
                    key: ReplyKey {
                        seq: record.seq,
                        attempt: 0,
                    },
                    title: "the steps".to_owned(),
                    reply,
                    passed: status.map(|status| status == PlanStatus::Ready.name()),
                });
                Some(Self {
                    attempts: steps.into_iter().collect(),
                    ..without_replies(Id::new(npc).ok()?)
                })
            }
            _ => None,
        }
    }
}

/// The attempts that were answered, of a run or a stage. `judged` has what was said of them.
fn attempts_of(
    seq: u64,
    replies: &[RecordedReply],
    judged: Option<&Value>,
) -> Vec<RecordedAttempt> {
    let judged = judged.and_then(Value::as_array);
    let passed = |attempt: u32| {
        let mut judged = judged.into_iter().flatten();
        let index = |one: &Value| one.get("index").and_then(Value::as_u64);
        let judged = judged.find(|one| index(one) == Some(u64::from(attempt)));
        judged?.get("verdict")?.get("passed")?.as_bool()
    };
    let attempts = (0..).zip(replies).filter_map(|(attempt, reply)| {
        let is_answer = reply.error.is_none() && !reply.pending;
        Some(RecordedAttempt {
            key: ReplyKey { seq, attempt },
            title: format!("attempt {attempt}"),
            reply: reply.text.clone().filter(|_| is_answer)?,
            passed: passed(attempt),
        })
    });
    attempts.collect()
}

/// The same of all stages of a turn of an adventure, counted through.
fn stage_attempts(record: &Record, stages: &[RecordedStage]) -> Vec<RecordedAttempt> {
    let mut attempts = Vec::new();
    let mut first = 0;
    for (index, stage) in stages.iter().enumerate() {
        let outputs = record.body.get("stages").and_then(|all| all.get(index));
        let judged = outputs.and_then(|outputs| outputs.get("attempts"));
        let of = match &stage.npc {
            Some(npc) => format!(" of {npc}"),
            None => String::new(),
        };
        let stage_name = stage.stage.snake_case().replace('_', " ");
        for mut attempt in attempts_of(record.seq, &stage.replies, judged) {
            attempt.title = format!("{stage_name}{of}, {}", attempt.title);
            attempt.key.attempt += first;
            attempts.push(attempt);
        }
        first += u32::try_from(stage.replies.len()).unwrap_or(u32::MAX);
    }
    attempts
}
