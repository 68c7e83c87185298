//! What is kept of a turn.

use super::activation::Roll;
use super::message::Message;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{EngineIdentity, Stage};
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction};
use crate::pipeline::{AttemptRecord, Outcome};
use crate::proposal::ToolCall;
use crate::world::{JudgedChange, ProposedAction};
use bevy::reflect::TypePath;
use serde::Serialize;
use std::sync::Arc;

/// Whether a turn has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum TurnStatus {
    /// It was committed: all of its results count.
    Committed,
    /// A stage failed: it has no results.
    Failed,
}

/// What a turn costs, known before its characters act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Price {
    /// How many calls, without retries.
    pub calls: u32,
    /// How many of them come one after the other.
    pub depth: u32,
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFailure {
    /// The stage that failed; `None` when it was none: the turn was interrupted, or could not be committed.
    pub stage: Option<Stage>,
    /// Why, in one sentence, with the reason code where there is one.
    pub error: String,
}

/// What a stage of a turn was asked, and what it answered.
#[derive(Debug, Clone)]
pub(crate) struct StageLog {
    /// Which stage was asked.
    pub stage: Stage,
    /// The id of the actor whose intention it made, resolved or read; `None` for the lore extractor.
    pub npc: Option<Id>,
    /// The number in the turn of the message that it worked on: the intention that is told or read, or the narration that lore
    /// is read from. `None` for a stage that makes an intention.
    pub seq: Option<u32>,
    /// The game time at which it was asked.
    pub at: GameTime,
    /// Which engine answered; `None` when there was none.
    pub engine: Option<EngineIdentity>,
    /// What went in and came out, by attempt.
    pub attempts: Arc<Vec<AttemptRecord>>,
    /// How its run ended: accepted, or failed after its last attempt.
    pub outcome: Outcome,
}

/// All that is kept of a turn of an adventure.
#[derive(Debug, Clone, TypePath)]
pub struct AdventureRecord {
    /// Its number, from 1. A turn that fails uses up no number: the next turn gets the same one.
    pub turn_id: u64,
    /// The id of the persona whose turn it is.
    pub persona: Id,
    /// What the persona wants to do, as it was submitted; `None` when a model was asked for it.
    pub text: Option<String>,
    /// What it thinks, as it was submitted.
    pub thought: Option<String>,
    /// The ids of those to whom it whispers.
    pub whisper_to: Vec<Id>,
    /// For another version of an earlier turn: the number of that turn, and how many versions were played before. `None`
    /// otherwise.
    pub version_of: Option<(u64, usize)>,
    /// Its stages, in the order in which they were asked. Of those that are asked together, each has its place.
    pub(crate) stages: Vec<StageLog>,
    /// What the built-in parser made of the intentions.
    pub parsed: Vec<ProposedAction>,
    /// What could not be read as an action.
    pub rejected: Vec<RejectedAction>,
    /// What the rulebook was asked, with its answers.
    pub actions: Vec<JudgedAction>,
    /// What the actions changed in the judged world, in order; of a failed turn nothing.
    pub changes: Vec<JudgedChange>,
    /// The messages of the turn; of a failed one none.
    pub messages: Vec<Message>,
    /// Who could have acted, and why it did or did not.
    pub(crate) rolls: Vec<Roll>,
    /// The stages that failed and were left out.
    pub degraded: Vec<Stage>,
    /// Calls of extractors that were not sure enough to be applied, each with whose states it would write; `None` for lore.
    /// They wait in [`WaitingCalls`](super::review::WaitingCalls) until the player answers; they have had no effect.
    pub for_review: Vec<(Option<Id>, ToolCall)>,
    /// What the turn cost.
    pub(crate) price: Price,
    /// Why it failed; `None` when it was committed.
    pub failure: Option<TurnFailure>,
}

impl AdventureRecord {
    /// The characters that were active, in the order in which they acted.
    pub fn active(&self) -> impl Iterator<Item = &Id> {
        let rolls = self.rolls.iter().filter(|roll| roll.active);
        rolls.map(|roll| &roll.npc)
    }

    /// How many calls of an engine it took, without retries.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.price.calls
    }

    /// Whether it was committed.
    #[must_use]
    pub fn status(&self) -> TurnStatus {
        match self.failure {
            None => TurnStatus::Committed,
            Some(_) => TurnStatus::Failed,
        }
    }
}
