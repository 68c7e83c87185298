//! Runs that ended.

use super::fields::{input_fields, output_fields};
use super::game::RecordedForgetting;
use super::hashes::BeforeAfter;
use super::reply::RecordedReply;
use crate::base::canonical::Encoded;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{EngineIdentity, PromptMessage, Role, Sampling};
use crate::gate::{Failure, MemoryChange, RejectedMutation, Verdict};
use crate::journal::record::run_timeline::RunTimeline;
use crate::memory::SavedMind;
use crate::npc::Request;
use crate::pipeline::steps::prompt::CutItem;
use crate::pipeline::{
    AttemptError, AttemptRecord, ChoiceRecord, FallbackTier, InteractionContext, Outcome,
    RetrievalSummary, RunPolicy, Section,
};
use crate::proposal::{InvalidFormat, Proposal};
use crate::rules::{Constraint, ConstraintKind, RuleSeverity, TriggerReason};
use crate::world::{Intent, JudgedChange, WorldPart};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The context of a run: why a character responds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedContext {
    /// The reason of the interaction: a line that was said, a trigger, and so on.
    pub reason: TriggerReason,
    /// The id of the character that responds.
    pub npc: Id,
    /// The id of the speaker; `None` when there is no speaker.
    pub speaker: Option<Id>,
    /// The spoken words; `None` when there are none.
    pub input: Option<String>,
    /// When the run began, in game time. A replay takes it from the timeline.
    #[serde(default)]
    pub game_time: GameTime,
    /// The scene; `None` when the game named none.
    pub scene: Option<String>,
    /// The tags that the game gave.
    pub tags: Vec<String>,
    /// The trigger's id; `None` for a line that was said.
    pub trigger_id: Option<Id>,
    /// What the trigger wants; `None` for a line that was said.
    pub prompt: Option<String>,
    /// How many runs of this character were accepted or ended with a fallback before. A replay counts by itself.
    #[serde(default)]
    pub interaction_count: u64,
    /// Whether it was whispered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whisper: bool,
}

impl RecordedContext {
    pub fn of(context: &InteractionContext) -> Self {
        Self {
            reason: context.reason,
            npc: context.npc.clone(),
            speaker: context.speaker.clone(),
            input: context.input.clone(),
            game_time: context.game_time,
            scene: context.scene.clone(),
            tags: context.tags.clone(),
            trigger_id: context.trigger_id.clone(),
            prompt: context.prompt.clone(),
            interaction_count: context.interaction_count,
            whisper: context.whisper,
        }
    }
}

impl RecordedContext {
    /// The request that led to it.
    pub fn into_request(self) -> Request {
        Request {
            reason: self.reason,
            speaker: self.speaker.map(String::from),
            input: self.input,
            trigger_id: self.trigger_id.map(String::from),
            prompt: self.prompt,
            scene: self.scene,
            tags: self.tags,
            whisper: self.whisper,
        }
    }
}

input_fields! {
    /// The inputs of a run: what a replay is fed with.
    pub struct InteractionInputs {
        inputs {
            /// Why the character responds, and to what.
            context: RecordedContext = "context",
            /// At which records and game times the run read the world.
            run_timeline: RunTimeline = "timetable",
            /// What the engine answered, by attempt.
            replies: Vec<RecordedReply> = "bytes",
        }
        extras {
            /// Whether the character was asked what it remembers of a talk, in the background.
            remembers: bool = "remembers",
            /// Whether the character wrote its diary, in the background.
            diary: bool = "diary",
            /// Which engine answered, where it was another than that of the settings when the run started.
            engine: EngineIdentity = "engine",
            /// For a run that began before the journal: how everything that it changed is now. A replay takes it as given.
            now: Vec<WorldPart> = "now",
            /// For such a run: what its character remembers now; `null` when the run changed no mind.
            mind_now: Option<SavedMind> = "mind_now",
        }
        labels {
            /// The hash of the rulebook that judged its actions, in hexadecimal.
            rulebook: String = "rulebook",
            /// What the character has forgotten by the run. Left out where it is nothing.
            forgotten: Vec<RecordedForgetting> = "forgotten",
        }
    }
}

output_fields! {
    /// The results of a run, which a replay must find again.
    pub struct InteractionOutputs<'a> {
        /// The id of the character that responded.
        npc: &'a str = "npc",
        /// The stage that the run plays, such as `dialogue`.
        stage: &'a str = "stage",
        /// The policy that it started with: attempts, time, fallback.
        policy: RunPolicy = "policy",
        /// Which engine answered; `None` before the settings are known.
        identity: Option<&'a EngineIdentity> = "identity",
        /// The constraints that applied; `None` when the run ended before they were found.
        constraints: Option<&'a [Arc<Encoded<Constraint>>]> = "constraints",
        /// The retrieved items, by id with scores; `None` when the run ended before.
        memory: Option<RetrievalSummary<'a>> = "memory",
        /// Every attempt of the run, in order.
        attempts: Vec<AttemptOutputs<'a>> = "attempts",
        /// How the run ended, and what was spoken.
        outcome: OutcomeOutputs<'a> = "outcome",
        /// What the run changed in memory and in the judged world.
        effects: EffectOutputs<'a> = "effects",
        /// The hash of the character's mind, before and after what the run changed.
        mind: BeforeAfter = "mind",
        /// The hash of the judged world, before and after what the run changed.
        world: BeforeAfter = "world",
    }
}

output_fields! {
    /// One attempt of a run: what went in, what was read from the reply, and the verdict.
    pub struct AttemptOutputs<'a> {
        /// Which attempt of the run, counted from 0.
        index: u32 = "index",
        /// Its sampling seed, of 53 bits.
        seed: u64 = "seed",
        /// Its constraints: id, kind and severity of each.
        constraints: Vec<(&'a str, ConstraintKind, RuleSeverity)> = "constraints",
        /// What the character could choose to do, and what it chose. Left out where that was not asked for apart.
        #[serde(skip_serializing_if = "Option::is_none")]
        choice: Option<ChoiceOutputs<'a>> = "choice",
        /// Its prompt; empty when it passed the context limit.
        prompt: &'a str = "prompt",
        /// The messages of the prompt: the role of each, and how many characters it has.
        messages: Vec<(Role, usize)> = "messages",
        /// How the model was asked to choose its words; `None` for a stage.
        sampling: Option<&'a Sampling> = "sampling",
        /// The prompt's sections with their sizes.
        sections: &'a [Section] = "sections",
        /// The retrieved items that are not in the prompt.
        cut: &'a [CutItem] = "cut",
        /// The id of its snapshot, in hexadecimal.
        snapshot: String = "snapshot",
        /// Why there is no reply; `None` when there is one.
        error: Option<AttemptError> = "error",
        /// What the error says to people; `None` when there is no error.
        message: Option<&'a str> = "message",
        /// The parsed reply; `None` when there is no reply.
        proposal: Option<ProposalOutputs<'a>> = "proposal",
        /// The gate's answer; `None` when nothing was judged.
        verdict: Option<&'a Verdict> = "verdict",
        /// Whether it passed the gate and was committed.
        passed: bool = "passed",
    }
}

impl<'a> From<&'a AttemptRecord> for AttemptOutputs<'a> {
    fn from(record: &'a AttemptRecord) -> Self {
        Self {
            index: record.index,
            seed: record.seed,
            constraints: record
                .constraints
                .iter()
                .map(|constraint| (&*constraint.id, constraint.kind, constraint.severity))
                .collect(),
            choice: record.choice.as_deref().map(ChoiceOutputs::from),
            prompt: &record.prompt,
            messages: sizes(&record.messages),
            sampling: record.sampling.as_deref(),
            sections: &record.sections,
            cut: &record.cut,
            snapshot: record.snapshot.to_hex(),
            error: record.error,
            message: record.error_message.as_deref(),
            proposal: record.proposal.as_ref().map(|proposal| match proposal {
                Ok(proposal) => ProposalOutputs::Read(proposal),
                Err(error) => ProposalOutputs::Invalid(error),
            }),
            verdict: record.verdict.as_ref(),
            passed: record.passed,
        }
    }
}

/// The role of each message, and how many characters it has.
fn sizes(messages: &[PromptMessage]) -> Vec<(Role, usize)> {
    let sizes = messages
        .iter()
        .map(|message| (message.role, message.content.chars().count()));
    sizes.collect()
}

/// What a character could choose to do in an attempt, and what it chose.
#[derive(Debug, Clone, Serialize)]
pub struct ChoiceOutputs<'a> {
    /// The texts of the messages that asked it, joined by an empty line; empty where the attempt's own prompt did, or none.
    pub prompt: String,
    /// The role of each message, and how many characters it has.
    pub messages: Vec<(Role, usize)>,
    /// Why there is no answer; `None` when there is one.
    pub error: Option<AttemptError>,
    /// The phrases among which it chose.
    pub options: &'a [String],
    /// What it chose and may do; `None`: nothing.
    pub chosen: Option<&'a Intent>,
    /// The problems of its choice.
    pub warnings: &'a [Failure],
}

impl<'a> From<&'a ChoiceRecord> for ChoiceOutputs<'a> {
    fn from(record: &'a ChoiceRecord) -> Self {
        let call = record.call.as_ref();
        let messages = call.map(|call| &*call.messages).unwrap_or_default();
        let texts: Vec<&str> = messages.iter().map(|message| &*message.content).collect();
        Self {
            prompt: texts.join("\n\n"),
            messages: sizes(messages),
            error: call.and_then(|call| call.error),
            options: &record.options,
            chosen: record.chosen.as_ref(),
            warnings: &record.warnings,
        }
    }
}

/// A parsed reply.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalOutputs<'a> {
    /// A proposal, which the gate could judge.
    Read(&'a Proposal),
    /// Nothing that could be used, and why.
    Invalid(&'a InvalidFormat),
}

output_fields! {
    /// How a run ended, and what was spoken.
    pub struct OutcomeOutputs<'a> {
        /// The name of the outcome, such as `Accepted`.
        name: &'a str = "name",
        /// The spoken line; `None` when there was none.
        line: Option<&'a str> = "line",
        /// For a fallback: where the line comes from; `None` for every other outcome.
        tier: Option<FallbackTier> = "tier",
    }
}

impl<'a> From<&'a Outcome> for OutcomeOutputs<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        Self {
            name: outcome.name(),
            line: outcome.line(),
            tier: match outcome {
                Outcome::Fallback { tier, .. } => Some(*tier),
                _ => None,
            },
        }
    }
}

output_fields! {
    /// What a run changed in memory and in the judged world, and which changes of memory were refused.
    pub struct EffectOutputs<'a> {
        /// Changes of memory that were done, in order.
        memories: &'a [MemoryChange] = "memories",
        /// Why approved changes of memory failed, one line for each kind.
        failures: &'a [String] = "failures",
        /// Changes of memory that the gate refused.
        rejected: &'a [RejectedMutation] = "rejected",
        /// Actions that were approved, in order.
        intents: &'a [Intent] = "intents",
        /// What the actions changed in the judged world, in order.
        changes: &'a [JudgedChange] = "changes",
    }
}
