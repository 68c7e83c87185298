//! The run: one pass of the pipeline for one interaction, as an entity.
//!
//! A run goes from phase to phase. In each phase one component of the pipeline waits for it, does its work, puts its output
//! on the run's entity and names the next phase (see the crate's `pipeline` module for the order). A run is related to its
//! character by `RunOf`; it outlives the character long enough to end as Cancelled.

pub(crate) mod attempt;
pub(crate) mod attempt_log;
pub(crate) mod diary;
pub(crate) mod finish;
pub(in crate::pipeline) mod hanging;
pub(crate) mod looking_back;
pub(crate) mod outcome;
pub(crate) mod retraction;
pub(crate) mod said;
pub(crate) mod thinking;
pub(in crate::pipeline) mod too_late;
pub(crate) mod waiting_runs;

use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::engine::Stage;
use crate::gate::{ApprovedFor, SpendsApprovals};
use crate::limits::Limits;
use crate::policy::{Form, RunPolicy};
use bevy::prelude::*;
use std::time::Duration;

/// Which component of the pipeline a run waits for. The order of the variants is the order in which a run that succeeds
/// goes through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub(crate) enum RunPhase {
    /// Waits for its constraints.
    Expectancy,
    /// Waits for its memories.
    Retrieval,
    /// Waits for the snapshot of its next attempt.
    Snapshot,
    /// What its character chose to do waits to be judged, or to be judged again.
    Choosing,
    /// Waits for its prompt.
    Prompt,
    /// Its call can start.
    Call,
    /// Its call is in flight.
    Calling,
    /// A part of a reply that is still coming waits to be judged. Its call stays in flight.
    Listening,
    /// A reply waits to be judged.
    Validation,
    /// A passed verdict waits to be committed.
    Commit,
    /// An attempt has failed; whether another one follows is to be decided.
    Failed,
    /// No attempt can follow; the run waits to be ended as its policy says.
    Fallback,
    /// Over.
    Ended,
}

/// A run. Its entity carries the outputs of the components of the pipeline as components of their own.
///
/// Only the pipeline changes it. When a game removes it, or despawns its entity, before the run has ended, the character is
/// freed for its next request, and [`RunEnded`](crate::events::RunEnded) reports the end that the policy names.
#[derive(Component, Debug, Clone)]
pub struct Run {
    number: u64,
    npc: Id,
    npc_entity: Entity,
    stage: Stage,
    policy: RunPolicy,
    phase: RunPhase,
    attempt: u32,
    started: CallTime,
    thinking_after: Duration,
    thinking_line_spoken: bool,
    no_retry: bool,
    faults: FaultCount,
    call_started: CallTime,
}

/// The calls of a run that failed on their way and are made again in addition to its attempts.
#[derive(Debug, Clone, Copy, Default)]
struct FaultCount {
    /// All of them.
    all: u32,
    /// Those since the last answer.
    since_answer: u32,
    /// Until when the next call waits; `None`: it does not.
    wait_until: Option<CallTime>,
}

impl SpendsApprovals for Run {
    fn approved_for(&self) -> ApprovedFor {
        ApprovedFor::run(self.number)
    }
}

impl Run {
    /// A run in its first phase. `started` is call time.
    pub(crate) fn new(
        number: u64,
        npc: (Entity, &Id),
        stage: Stage,
        policy: RunPolicy,
        started: CallTime,
    ) -> Self {
        Self {
            number,
            npc: npc.1.clone(),
            npc_entity: npc.0,
            stage,
            policy,
            phase: RunPhase::Expectancy,
            attempt: 0,
            started,
            thinking_after: Limits::DEFAULT.thinking_after,
            thinking_line_spoken: false,
            no_retry: false,
            faults: FaultCount::default(),
            call_started: started,
        }
    }

    /// Its reply is asked for as its policy says, else in the form that suits its engine.
    pub(crate) fn suit(&mut self, engine: Form) {
        self.policy = self.policy.suited(engine);
    }

    /// The same run, whose character speaks a `thinking` line after this time.
    pub(crate) fn thinking_after(self, thinking_after: Duration) -> Self {
        Self {
            thinking_after,
            ..self
        }
    }

    /// When its character speaks a `thinking` line, in call time, if no reply has come by then. It is fixed when the run
    /// starts.
    #[must_use]
    pub fn thinks_at(&self) -> CallTime {
        self.started.after(self.thinking_after)
    }

    /// Its number, counted from 0 in the order in which runs start. It is unique in a game and goes on after a load.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The id of its character. It stays when the character is gone.
    #[must_use]
    pub fn npc(&self) -> &Id {
        &self.npc
    }

    /// The entity of its character. It may have been despawned meanwhile.
    #[must_use]
    pub fn npc_entity(&self) -> Entity {
        self.npc_entity
    }

    /// The role that it plays.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Its policy, which is fixed when the run starts.
    #[must_use]
    pub fn policy(&self) -> RunPolicy {
        self.policy
    }

    /// Which component of the pipeline it waits for.
    #[must_use]
    pub(crate) fn phase(&self) -> RunPhase {
        self.phase
    }

    /// The attempt that it makes, counted from 0.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// When it started, in milliseconds of call time.
    #[must_use]
    pub fn started(&self) -> CallTime {
        self.started
    }

    /// When it must be over, in milliseconds of call time; where its policy repeats failed calls, when its current call must be
    /// over. A reply that arrives exactly then is in time.
    #[must_use]
    pub fn deadline(&self) -> CallTime {
        let from = match self.policy.fault_retries {
            0 => self.started,
            _ => self.call_started,
        };
        from.after(self.policy.deadline)
    }

    /// Until when it waits before it repeats a failed call, in call time; `None` when it is not waiting for that.
    #[must_use]
    pub fn waits_until(&self) -> Option<CallTime> {
        self.faults.wait_until
    }

    /// Whether its character has spoken a `thinking` line, or has none to speak. It does so at most once a run.
    #[must_use]
    pub fn has_spoken_thinking_line(&self) -> bool {
        self.thinking_line_spoken
    }

    /// Whether no attempt may follow this one: the time is up, the failure is Critical, or the prompt can never fit.
    #[must_use]
    pub fn is_last_attempt(&self) -> bool {
        self.no_retry || self.attempt + 1 >= self.most_attempts()
    }

    /// How many attempts it may make, with those that repeat a failed call.
    pub(crate) fn most_attempts(&self) -> u32 {
        self.policy.max_attempts.saturating_add(self.faults.all)
    }

    /// When its last call began, in call time; when it has made none, when it started.
    #[must_use]
    pub fn call_started(&self) -> CallTime {
        self.call_started
    }

    /// A call begins now.
    pub(crate) fn begin_call(&mut self, now: CallTime) {
        self.call_started = now;
        self.faults.wait_until = None;
    }

    /// The call has brought an answer, of whatever kind.
    pub(crate) fn note_answer(&mut self) {
        self.faults.since_answer = 0;
    }

    /// The call has failed on its way. It is made again after 1, 2, 4, .. seconds, unless it has been too often.
    pub(crate) fn note_fault(&mut self, now: CallTime) {
        if self.faults.since_answer >= self.policy.fault_retries {
            self.no_retry = true;
            return;
        }
        let seconds = 1_i64 << self.faults.since_answer.min(16);
        self.faults.wait_until = Some(now.after(Millis(seconds * 1_000)));
        self.faults.since_answer += 1;
        self.faults.all += 1;
    }

    pub(crate) fn set_phase(&mut self, phase: RunPhase) {
        self.phase = phase;
    }

    pub(crate) fn set_attempt(&mut self, attempt: u32) {
        self.attempt = attempt;
    }

    pub(crate) fn note_thinking_line(&mut self) {
        self.thinking_line_spoken = true;
    }

    /// From now on a failure of this attempt ends the run.
    pub(crate) fn forbid_retry(&mut self) {
        self.no_retry = true;
    }
}

/// The character that a run belongs to.
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(Component)]
#[relationship(relationship_target = Runs)]
pub struct RunOf(pub Entity);

/// The runs of a character, in flight and past. Past ones are kept as long as [`RunHistory`](super::RunHistory) keeps them.
#[derive(Component, Debug, Default, Reflect)]
#[reflect(Component)]
#[relationship_target(relationship = RunOf)]
pub struct Runs(Vec<Entity>);

/// Whether a run of this character that has such a component is still going on.
pub(crate) fn is_in_run<C: Component>(world: &World, npc: Entity) -> bool {
    let runs = world.get::<Runs>(npc).into_iter();
    let mut runs = runs.flat_map(RelationshipTarget::iter);
    runs.any(|run| {
        let run = world.get_entity(run);
        run.is_ok_and(|run| run.contains::<C>() && run.contains::<ActiveRun>())
    })
}

/// On a run that is not over. The pipeline takes it away when the run ends.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet")]
pub struct ActiveRun;

/// On a run that has to wait in these phases, because a replay says that their time has not come.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet")]
pub(crate) struct HeldPhases(pub Vec<RunPhase>);

impl HeldPhases {
    /// Whether a run has to wait in this phase.
    pub(crate) fn holds(held: Option<&Self>, phase: RunPhase) -> bool {
        held.is_some_and(|held| held.0.contains(&phase))
    }
}

/// What a query over active runs reads.
pub(crate) type ActiveRuns = QueryState<(Entity, &'static Run), With<ActiveRun>>;
