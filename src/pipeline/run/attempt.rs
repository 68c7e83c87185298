//! One attempt of a run: the results of its calls of the engine, as plain data.

use crate::base::canonical::Digest;
use crate::engine::{EngineErrorKind, Inference, PromptMessage, Sampling, Stage};
use crate::gate::{Failure, Verdict};
use crate::pipeline::steps::prompt::budget::{CutItem, Section};
use crate::proposal::{Finish, InvalidFormat, Proposal};
use crate::rules::ConstraintList;
use crate::world::Intent;
use bevy::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use thiserror::Error;

/// Why an attempt has no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect, Serialize)]
pub enum AttemptError {
    /// The engine itself gave up waiting.
    Timeout,
    /// The call failed on its way: no connection, a broken one, an error of the server, an answer that is not in the
    /// protocol, or a script with no reply left.
    Transport,
    /// The reply was longer than a reply may be.
    Oversized,
    /// The bytes of the reply were not UTF-8.
    NotUtf8,
    /// The deadline of the run passed. No other attempt follows.
    Deadline,
    /// What cannot be cut from the prompt is longer than the engine takes. No other attempt follows.
    ContextLimit,
}

impl From<EngineErrorKind> for AttemptError {
    fn from(kind: EngineErrorKind) -> Self {
        match kind {
            EngineErrorKind::Timeout => Self::Timeout,
            EngineErrorKind::Transport => Self::Transport,
            EngineErrorKind::Oversized => Self::Oversized,
            EngineErrorKind::NotUtf8 => Self::NotUtf8,
        }
    }
}

/// An attempt that is not one of those that the policy allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("attempt {attempt} is not one of {max_attempts}, counted from 0")]
pub(crate) struct AttemptOutOfRange {
    /// The attempt, counted from 0.
    pub attempt: u32,
    /// How many attempts the policy allows.
    pub max_attempts: u32,
}

/// On a run whose attempt got no reply, until the next attempt begins. Written by the prompt and by inference.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub struct AttemptFailure {
    /// Why the attempt has no reply.
    pub error: AttemptError,
    /// The same for people; it contains no secret.
    pub message: String,
}

/// What validation read from the reply of the current attempt, still untrusted.
#[derive(Component, Debug, Clone, PartialEq)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct ParsedReply(pub std::result::Result<Proposal, InvalidFormat>);

/// A call of an attempt that was over before its last one began.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallRecord {
    /// What it asked for.
    pub stage: Stage,
    /// The messages that the engine was sent.
    pub messages: Arc<[PromptMessage]>,
    /// What the engine answered, as text; `None` when the call failed.
    pub reply: Option<String>,
    /// The bytes that arrived, with the ends of their chunks.
    pub arrived: Inference,
    /// Why there is no reply; `None` when there is one.
    pub error: Option<AttemptError>,
    /// What the error says to people; `None` when there is no error.
    pub error_message: Option<String>,
}

/// What a character could choose to do in an attempt, and what it chose. It is on a run whose character is asked for that apart from
/// its words ([`Form::Apart`](crate::policy::Form)), until the next attempt begins.
#[derive(Component, Debug, Clone, Default)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct ChoiceRecord {
    /// The phrases among which it chose, "nothing" first. Empty where it was not asked.
    pub options: Vec<String>,
    /// What it chose and may do. `None`: nothing.
    pub chosen: Option<Intent>,
    /// Soft findings: `no_choice` where it chose nothing that was offered, `choice_denied` where it may not do what it chose.
    pub warnings: Vec<Failure>,
    /// The call that asked it, where its words were asked for after that.
    pub call: Option<CallRecord>,
}

/// All that is kept of one attempt. It is put together once, when the attempt is over, from the components of its run.
#[derive(Debug, Clone, Default)]
pub struct AttemptRecord {
    /// Which attempt, counted from 0.
    pub index: u32,
    /// What its last call asked for.
    pub stage: Stage,
    /// The possible actions of the character and the one that it chose, if the engine was asked for that separately. The other
    /// fields then describe the call after it.
    pub(crate) choice: Option<Box<ChoiceRecord>>,
    /// The id of its snapshot: the hash of everything that it depended on.
    pub snapshot: Digest,
    /// Its sampling seed, of 53 bits.
    pub seed: u64,
    /// The text that the engine was given; empty when it would have passed the engine's context limit.
    pub prompt: Arc<str>,
    /// The messages that the engine was sent: their texts make up the prompt.
    pub messages: Arc<[PromptMessage]>,
    /// The sections of the prompt in order, with their sizes.
    pub(crate) sections: Arc<[Section]>,
    /// The retrieved items that are not in the prompt, for lack of room.
    pub(crate) cut: Arc<[CutItem]>,
    /// How the model was asked to choose its words; `None` for a stage, which is asked as its story says.
    pub(crate) sampling: Option<Arc<Sampling>>,
    /// Its constraints, in the order of their evaluation.
    pub(crate) constraints: ConstraintList,
    /// What the engine answered, as text; `None` when there is no whole reply.
    pub reply: Option<String>,
    /// The bytes that arrived, with the ends of their chunks; for a failed call, the bytes before the failure.
    pub arrived: Inference,
    /// What was read from the reply, still untrusted; `None` when there is no whole reply.
    pub(crate) proposal: Option<std::result::Result<Proposal, InvalidFormat>>,
    /// Why the engine stopped; `Stop` as well when there is no whole reply.
    pub finish: Finish,
    /// Why there is no reply; `None` when there is one, and when the run ended before it came.
    pub error: Option<AttemptError>,
    /// What the error says to people; `None` when there is no error.
    pub error_message: Option<String>,
    /// The verdict of the gate; `None` when there was no reply to judge.
    pub verdict: Option<Verdict>,
    /// Whether it passed the gate and was committed.
    pub passed: bool,
}

impl AttemptRecord {
    /// What the character chose to do, where the engine was asked for that separately; `None`: it chose nothing, or the engine was
    /// not asked.
    #[must_use]
    pub fn chosen(&self) -> Option<&Intent> {
        self.choice.as_ref()?.chosen.as_ref()
    }

    /// The ids of its constraints, in their order.
    pub fn constraint_ids(&self) -> impl Iterator<Item = &str> {
        self.constraints.iter().map(|constraint| &*constraint.id)
    }
}

/// The attempts of a run that are over, in order. The pipeline adds one when an attempt has failed or was committed, and when
/// its run ends. Copies share them.
#[derive(Component, Debug, Clone, Default)]
pub struct AttemptLog(pub Arc<Vec<AttemptRecord>>);
