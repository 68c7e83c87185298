//! Turns of an adventure.

use super::fields::{input_fields, output_fields};
use super::hashes::BeforeAfter;
use super::interaction::{AttemptOutputs, OutcomeOutputs};
use super::reply::RecordedReply;
use crate::adventure::record::{AdventureRecord, StageLog, TurnStatus};
use crate::adventure::{AdventureSettings, Message, PlayerTurn, Roll};
use crate::base::canonical::Digest;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{EngineIdentity, Stage};
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction};
use crate::memory::SavedMind;
use crate::proposal::ToolCall;
use crate::world::{JudgedChange, ProposedAction, WorldPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a player asked for, and how adventures were played then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedAdventure {
    /// The id of the persona whose turn it is.
    pub persona: Id,
    /// What it wants to do; `None` when a model was asked for it.
    pub intention: Option<String>,
    /// What it thinks, as it was submitted.
    pub thought: Option<String>,
    /// The ids of those to whom it whispers.
    pub whisper_to: Vec<Id>,
    /// For another version of an earlier turn: the number of that turn, and how many versions were played before.
    pub version_of: Option<(u64, usize)>,
    /// The settings of adventures.
    pub settings: AdventureSettings,
    /// How sure an extractor had to be, in millionths.
    pub review_below: i64,
}

impl AskedAdventure {
    pub(crate) fn of(record: &AdventureRecord, settings: AdventureSettings) -> Self {
        Self {
            persona: record.persona.clone(),
            intention: record.text.clone(),
            thought: record.thought.clone(),
            whisper_to: record.whisper_to.clone(),
            version_of: record.version_of,
            settings,
            review_below: Millionths::nearest(settings.review_below).0,
        }
    }

    /// What the player asked for.
    #[must_use]
    pub fn turn(&self) -> PlayerTurn {
        PlayerTurn {
            persona: self.persona.clone(),
            intention: self.intention.clone(),
            thought: self.thought.clone(),
            whisper_to: self.whisper_to.clone(),
        }
    }

    /// The settings of adventures.
    #[must_use]
    pub fn settings(&self) -> AdventureSettings {
        AdventureSettings {
            review_below: Millionths(self.review_below).to_f32(),
            ..self.settings
        }
    }
}

/// What the engine answered to a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedStage {
    /// Which stage was asked.
    pub stage: Stage,
    /// The id of the actor whose intention it made, resolved or read; `None` for the lore extractor.
    pub npc: Option<Id>,
    /// The game time at which it was asked.
    pub at: GameTime,
    /// Which engine answered, where it was another than that of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineIdentity>,
    /// What the engine answered, by attempt.
    #[serde(rename = "bytes")]
    pub replies: Vec<RecordedReply>,
}

impl RecordedStage {
    pub(crate) fn of(log: &StageLog, usual: Option<&EngineIdentity>) -> Self {
        Self {
            stage: log.stage,
            npc: log.npc.clone(),
            at: log.at,
            engine: log.engine.clone().filter(|engine| Some(engine) != usual),
            replies: log.attempts.iter().map(RecordedReply::from).collect(),
        }
    }
}

input_fields! {
    /// The inputs of a turn of an adventure: what a replay is fed with.
    pub struct AdventureTurnInputs {
        inputs {
            /// What the player asked for.
            asked: AskedAdventure = "asked",
            /// What the engine answered, by stage, in the order in which the stages were asked.
            stages: Vec<RecordedStage> = "bytes",
        }
        extras {
            /// For a turn that cannot happen again by itself: how everything that it changed in the judged world is now. This is the
            /// case when something else was written down between its beginning and its end, or when it was interrupted. A
            /// replay takes it as given.
            now: Vec<WorldPart> = "now",
            /// For such a turn: the minds that it changed, as they are now.
            minds_now: BTreeMap<Id, SavedMind> = "minds_now",
            /// For such a turn: the parts of the adventure that it changed, as they are now.
            adventure_now: BTreeMap<String, Option<Value>> = "adventure_now",
        }
    }
}

output_fields! {
    /// The results of a turn of an adventure, which a replay must find again.
    pub struct AdventureTurnOutputs<'a> {
        /// The number of the turn, from 1.
        turn_id: u64 = "turn_id",
        /// Whether it has happened.
        status: TurnStatus = "status",
        /// The stage that failed; `None` when none did.
        failed_stage: Option<&'static str> = "failed_stage",
        /// Why it failed; `None` when it did not.
        error: Option<&'a str> = "error",
        /// What each stage was asked and what was made of its answer, in the order in which the stages were asked.
        stages: Vec<StageOutputs<'a>> = "stages",
        /// What the built-in parser made of the intentions.
        parsed: &'a [ProposedAction] = "parsed",
        /// Actions that could not be read.
        rejected: &'a [RejectedAction] = "rejected",
        /// Actions that were judged, in order, each with its answer.
        actions: &'a [JudgedAction] = "actions",
        /// The characters that could have acted, and why they did or did not.
        rolls: &'a [Roll] = "rolls",
        /// The messages of the turn.
        messages: &'a [Message] = "messages",
        /// The stages that failed and were left out.
        degraded: Vec<&'static str> = "degraded",
        /// Calls of extractors that wait for the player's review.
        for_review: &'a [(Option<Id>, ToolCall)] = "for_review",
        /// What the actions changed, in order.
        changes: &'a [JudgedChange] = "changes",
        /// The hash of all that the turn changed of the adventure, in hexadecimal.
        adventure: String = "adventure",
        /// The hashes of the minds that the turn changed, in hexadecimal.
        minds: BTreeMap<Id, String> = "minds",
        /// The hash of the rulebook, in hexadecimal.
        rulebook: String = "rulebook",
        /// The hash of the judged world, before and after the turn.
        world: BeforeAfter = "world",
    }
}

output_fields! {
    /// What a stage was asked, and what was made of its answer.
    pub struct StageOutputs<'a> {
        /// The name of the stage, such as `npc_intent`.
        stage: &'static str = "stage",
        /// The id of the actor whose intention it made, resolved or read; `None` for the lore extractor.
        npc: Option<&'a Id> = "npc",
        /// The number in the turn of the message that it worked on; `None` for a stage that makes an intention.
        seq: Option<u32> = "seq",
        /// Every attempt, in order.
        attempts: Vec<AttemptOutputs<'a>> = "attempts",
        /// How its run ended, and the text that was told.
        outcome: OutcomeOutputs<'a> = "outcome",
    }
}

impl<'a> From<&'a StageLog> for StageOutputs<'a> {
    fn from(log: &'a StageLog) -> Self {
        Self {
            stage: log.stage.snake_case(),
            npc: log.npc.as_ref(),
            seq: log.seq,
            attempts: log.attempts.iter().map(AttemptOutputs::from).collect(),
            outcome: OutcomeOutputs::from(&log.outcome),
        }
    }
}

impl<'a> AdventureTurnOutputs<'a> {
    /// The results of this turn, which changed these hashes.
    pub(crate) fn of(
        record: &'a AdventureRecord,
        adventure: Digest,
        minds: BTreeMap<Id, String>,
        rulebook: Digest,
        world: BeforeAfter,
    ) -> Self {
        let failure = record.failure.as_ref();
        Self {
            turn_id: record.turn_id,
            status: record.status(),
            failed_stage: failure
                .and_then(|failure| failure.stage)
                .map(Stage::snake_case),
            error: failure.map(|failure| &*failure.error),
            stages: record.stages.iter().map(StageOutputs::from).collect(),
            parsed: &record.parsed,
            rejected: &record.rejected,
            actions: &record.actions,
            rolls: &record.rolls,
            messages: &record.messages,
            degraded: record
                .degraded
                .iter()
                .copied()
                .map(Stage::snake_case)
                .collect(),
            for_review: &record.for_review,
            changes: &record.changes,
            adventure: adventure.to_hex(),
            minds,
            rulebook: rulebook.to_hex(),
            world,
        }
    }
}
