//! The run: one pass of the pipeline for one interaction, as an entity.

use super::fallback::FallbackTier;
use super::inference::Inference;
use super::prompt::{CutItem, Section};
use super::retry::Escalation;
use crate::base::canonical::Digest;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millis;
use crate::engine::{EngineErrorKind, Stage};
use crate::events::{Outbox, Outgoing, RunEnded};
use crate::gate::Verdict;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, RequestQueue, Thinking};
use crate::pipeline::hook::tell;
use crate::proposal::{Finish, InvalidFormat, Proposal};
use crate::rules::{ConstraintKind, RuleSeverity};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};

/// How a run goes about it: data, one preset for each kind of stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPolicy {
    /// The most attempts, at least 1.
    pub max_attempts: u32,
    /// What a retry adds.
    pub escalation: Escalation,
    /// Call time for the whole run.
    pub deadline: Millis,
    /// Whether an authored line is spoken when no attempt passed.
    pub fallback: bool,
    /// Whether every fault of the engine counts as an empty answer, and no acceptance as a rejection (S1, S4).
    pub sealed: bool,
}

impl RunPolicy {
    /// Three attempts, escalate, then an authored fallback.
    pub const DIALOGUE: Self = Self {
        max_attempts: 3,
        escalation: Escalation::AddSpecificProhibition,
        deadline: Millis(30_000),
        fallback: true,
        sealed: false,
    };

    /// One call, no retry, no fallback; every fault is an empty answer, and a rejection is a normal outcome (S1-S4).
    pub const SEALED: Self = Self {
        max_attempts: 1,
        escalation: Escalation::None,
        deadline: Millis(30_000),
        fallback: false,
        sealed: true,
    };
}

impl Default for RunPolicy {
    fn default() -> Self {
        Self::DIALOGUE
    }
}

/// The policy that dialogue runs start with.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DialoguePolicy(pub RunPolicy);

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunPhase {
    /// Waits for its constraints.
    Expectancy,
    /// Waits for its memories.
    Retrieval,
    /// Waits for the snapshot of its next attempt.
    Snapshot,
    /// Waits for its prompt.
    Prompt,
    /// Its call can start.
    Call,
    /// Its call is in flight.
    Calling,
    /// A reply waits to be judged.
    Validation,
    /// A passed verdict waits to be committed.
    Commit,
    /// A failed attempt waits for what comes next.
    Failed,
    /// Over.
    Ended,
}

/// A run.
#[derive(Component, Debug, Clone)]
pub struct Run {
    /// Its number, from 0, in the order of starting.
    pub number: u64,
    /// The NPC's id. It stays when the NPC is gone.
    pub npc: String,
    /// The NPC's entity.
    pub npc_entity: Entity,
    /// The role it plays.
    pub stage: Stage,
    /// How it goes about it.
    pub policy: RunPolicy,
    /// Where it stands.
    pub phase: RunPhase,
    /// The attempt, from 0.
    pub attempt: u32,
    /// When it started, in call time.
    pub started: Millis,
    /// Whether the character has made its thinking sound.
    pub thinking_line_spoken: bool,
    /// Why no further attempt can follow, when none can.
    pub no_retry: bool,
}

impl Run {
    /// When it must be over, in call time.
    #[must_use]
    pub fn deadline(&self) -> Millis {
        self.started.after(self.policy.deadline)
    }
}

/// The NPC that a run belongs to. A run outlives its NPC long enough to end as Cancelled.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[relationship(relationship_target = Runs)]
pub struct RunOf(pub Entity);

/// The runs of an NPC, in flight and past.
#[derive(Component, Debug, Default)]
#[relationship_target(relationship = RunOf)]
pub struct Runs(Vec<Entity>);

/// On a run that is not over.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct ActiveRun;

/// On a run that is to end as Cancelled.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct CancelRun;

/// On a run that waits when it comes to one of these phases, because a replay says that its time has not come.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HeldPhases(pub Vec<RunPhase>);

impl HeldPhases {
    /// Whether a run is held back in this phase.
    pub(crate) fn holds(held: Option<&Self>, phase: RunPhase) -> bool {
        held.is_some_and(|held| held.0.contains(&phase))
    }
}

/// NPCs with requests that could start.
#[derive(Resource, Debug, Default)]
pub(crate) struct ReadyNpcs(pub BTreeSet<Entity>);

/// How a run ended.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A passed verdict was committed.
    Accepted {
        /// What was said.
        line: String,
    },
    /// No attempt passed, and an authored line was spoken.
    Fallback {
        /// The line.
        line: String,
        /// Where it comes from.
        tier: FallbackTier,
    },
    /// A sealed run that was not accepted.
    Rejected,
    /// No attempt passed, and the policy has no fallback.
    Failed,
    /// It was ended from outside.
    Cancelled,
}

impl Outcome {
    /// The name in a trace.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Accepted { .. } => "Accepted",
            Self::Fallback { .. } => "Fallback",
            Self::Rejected => "Rejected",
            Self::Failed => "Failed",
            Self::Cancelled => "Cancelled",
        }
    }

    /// What was spoken.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::Accepted { line } | Self::Fallback { line, .. } => Some(line),
            _ => None,
        }
    }
}

/// Why an attempt has no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AttemptError {
    /// The engine gave up waiting.
    Timeout,
    /// The way to the engine failed.
    Transport,
    /// The reply was too long.
    Oversized,
    /// The reply was not UTF-8.
    NotUtf8,
    /// The run's deadline passed.
    Deadline,
    /// What cannot be cut from the prompt is longer than the engine takes.
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

/// All that is kept of one attempt.
#[derive(Debug, Clone, Default)]
pub struct AttemptRecord {
    /// Which one, from 0.
    pub index: u32,
    /// The id of its snapshot.
    pub snapshot: Digest,
    /// Its sampling seed.
    pub seed: u64,
    /// Its prompt; empty when it passed the context limit.
    pub prompt: String,
    /// The prompt's sections with their sizes.
    pub sections: Vec<Section>,
    /// What was retrieved and is not in the prompt.
    pub cut: Vec<CutItem>,
    /// Its constraints: id, kind, severity.
    pub constraints: Vec<(String, ConstraintKind, RuleSeverity)>,
    /// What the engine answered.
    pub reply: Option<String>,
    /// The bytes that arrived, of a call that failed too.
    pub arrived: Inference,
    /// What was read out of the reply, still untrusted.
    pub proposal: Option<Result<Proposal, InvalidFormat>>,
    /// Why the engine stopped.
    pub finish: Finish,
    /// Why there is no answer.
    pub error: Option<AttemptError>,
    /// What the error says to people.
    pub error_message: Option<String>,
    /// What the gate said.
    pub verdict: Option<Verdict>,
    /// Whether it was accepted.
    pub passed: bool,
}

/// The attempts of a run, in order.
#[derive(Component, Debug, Clone, Default)]
pub struct AttemptLog(pub Vec<AttemptRecord>);

/// Runs that have ended, oldest first, kept for inspection.
#[derive(Resource, Debug)]
pub struct RunHistory {
    /// How many are kept.
    pub cap: usize,
    pub(crate) runs: VecDeque<Entity>,
}

impl Default for RunHistory {
    fn default() -> Self {
        Self {
            cap: 64,
            runs: VecDeque::new(),
        }
    }
}

impl RunHistory {
    /// The runs, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Entity> + '_ {
        self.runs.iter().copied()
    }
}

/// The runs in a phase, in the order of their numbers.
pub(crate) fn in_phase(
    world: &World,
    runs: &mut QueryState<(Entity, &Run), With<ActiveRun>>,
    phase: RunPhase,
) -> Vec<Entity> {
    let held = |run: Entity| HeldPhases::holds(world.get(run), phase);
    let mut waiting: Vec<(u64, Entity)> = runs
        .iter(world)
        .filter(|(entity, run)| run.phase == phase && !held(*entity))
        .map(|(entity, run)| (run.number, entity))
        .collect();
    waiting.sort_unstable();
    waiting.into_iter().map(|(_, entity)| entity).collect()
}

/// Gives a run the output of a component of the pipeline, and sends it on.
pub(crate) fn advance(world: &mut World, entity: Entity, phase: RunPhase, output: impl Bundle) {
    if let Some(mut run) = world.get_mut::<Run>(entity) {
        run.phase = phase;
        world.entity_mut(entity).insert(output);
    }
}

/// Ends a run: its outcome, its event, its place in the history, its NPC free for the next request.
pub(crate) fn end_run(world: &mut World, entity: Entity, outcome: Outcome) {
    let Some(mut run) = world.get_mut::<Run>(entity) else {
        return;
    };
    if run.phase == RunPhase::Ended {
        return;
    }
    run.phase = RunPhase::Ended;
    let (npc, npc_entity) = (run.npc.clone(), run.npc_entity);
    let mut counters = world.resource_mut::<DramatisCounters>();
    match &outcome {
        Outcome::Accepted { .. } => counters.accepted += 1,
        Outcome::Fallback { .. } => counters.fallbacks += 1,
        Outcome::Cancelled => counters.cancelled += 1,
        _ => {}
    }
    world.entity_mut(entity).insert(outcome.clone()).remove::<(
        ActiveRun,
        CancelRun,
        super::inference::CallInFlight,
    )>();
    if let Ok(mut character) = world.get_entity_mut(npc_entity)
        && character
            .get::<Thinking>()
            .is_some_and(|thinking| thinking.run == entity)
    {
        character.remove::<Thinking>();
        if character
            .get::<RequestQueue>()
            .is_some_and(|queue| !queue.is_empty())
        {
            world.resource_mut::<ReadyNpcs>().0.insert(npc_entity);
        }
    }
    world
        .resource_mut::<Outbox>()
        .0
        .push(Outgoing::RunEnded(RunEnded {
            entity: npc_entity,
            npc,
            run: entity,
            outcome,
        }));
    world.resource_mut::<RunHistory>().runs.push_back(entity);
    tell(world, |hook, world| hook.run_ended(world, entity));
}

/// Lets go of the oldest runs, once everybody has been told of their end.
pub(crate) fn trim_history(world: &mut World) {
    let mut history = world.resource_mut::<RunHistory>();
    let surplus = history.runs.len().saturating_sub(history.cap);
    let leaving: Vec<Entity> = history.runs.drain(..surplus).collect();
    for run in leaving {
        world.despawn(run);
    }
}

/// Ends runs whose NPC is gone or that were cancelled. Late chunks change nothing: their call is dropped here.
pub(crate) fn end_cancelled(
    world: &mut World,
    active: &mut QueryState<(Entity, &Run, Has<CancelRun>), With<ActiveRun>>,
) {
    let mut ending: Vec<(u64, Entity)> = active
        .iter(world)
        .filter(|(entity, run, cancelled)| {
            let gone = world.get::<LoadedCharacter>(run.npc_entity).is_none()
                || world.get::<Mind>(run.npc_entity).is_none();
            (*cancelled || gone) && !HeldPhases::holds(world.get(*entity), RunPhase::Ended)
        })
        .map(|(entity, run, _)| (run.number, entity))
        .collect();
    ending.sort_unstable();
    for (_, entity) in ending {
        end_run(world, entity, Outcome::Cancelled);
    }
}
