//! When each run does what: as it did it first.

use crate::base::ids::Id;
use crate::engine::{EngineIdentity, RunEngine, Stage};
use crate::journal::record::run_timeline::{Moment, RunTimeline};
use crate::pipeline::StageTask;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::run::{ActiveRun, HeldPhases, Run, RunPhase};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// What the recording says of a run.
pub(super) struct Plan {
    pub run_timeline: RunTimeline,
    /// How many attempts it made.
    pub attempts: usize,
    /// Whether it ended with its last failure.
    pub late: bool,
    /// Which engine answered, where it was another than that of the settings.
    pub engine: Option<EngineIdentity>,
}

impl Plan {
    /// When the run takes its next such step; never, when it has taken it as often as it did.
    pub fn due(&self, step: RunStep, so_far: Option<&RunTimeline>) -> Option<Moment> {
        let next = self.run_timeline.moment(step, repetitions(so_far, step));
        let once = so_far.filter(|_| step <= RunStep::Snapshot);
        let Some(done) = once.and_then(|so_far| so_far.moment(step, 0)) else {
            return next;
        };
        // Only the first input is frozen from the world: a retry follows when it may.
        let failures = so_far.map_or(0, |so_far| so_far.times(RunStep::Failure));
        let retries = step == RunStep::Snapshot && failures > 0 && self.attempts > failures;
        retries.then_some(done)
    }
}

/// What the recording says of the runs that have begun, by number, and what moment it is.
#[derive(Resource, Default)]
pub(super) struct Schedule {
    pub now: Moment,
    pub only_beginnings: bool,
    pub plans: BTreeMap<u64, Plan>,
    /// Which engine served a stage of the turn that is played, where it was another than that of the settings.
    pub stage_engines: BTreeMap<(Stage, Option<Id>), EngineIdentity>,
}

impl Schedule {
    /// The phases for which it is too early.
    pub fn hold(&self, run: u64, so_far: Option<&RunTimeline>) -> HeldPhases {
        let plan = self.plans.get(&run);
        let early = |phase: &RunPhase| {
            let moment = step_of(*phase).and_then(|step| plan?.due(step, so_far));
            let ending = *phase >= RunPhase::Validation;
            let later = |moment| moment > self.now || self.only_beginnings && ending;
            moment.is_none_or(later)
        };
        let phases = [
            RunPhase::Expectancy,
            RunPhase::Retrieval,
            RunPhase::Snapshot,
            RunPhase::Choosing,
            RunPhase::Listening,
            RunPhase::Validation,
            RunPhase::Commit,
            RunPhase::Failed,
            // Its record says when it is over.
            RunPhase::Ended,
        ];
        HeldPhases(phases.into_iter().filter(early).collect())
    }

    /// Whether the next failure of a run ends it.
    pub fn is_late(&self, run: u64, so_far: Option<&RunTimeline>) -> bool {
        let failures = so_far.map_or(0, |so_far| so_far.times(RunStep::Failure));
        let plan = self.plans.get(&run).filter(|plan| plan.late);
        plan.is_some_and(|plan| failures + 1 == plan.run_timeline.failed.len())
    }
}

/// A run that begins is held back like any other. Stages of an adventure are not: a turn happens at one moment.
pub(super) fn hold_newcomers(
    begun: On<Add, ActiveRun>,
    runs: Query<&Run, Without<StageTask>>,
    schedule: Res<Schedule>,
    mut commands: Commands,
) {
    if let Ok(run) = runs.get(begun.entity) {
        commands
            .entity(begun.entity)
            .insert(schedule.hold(run.number(), None));
    }
}

/// If a run had its own engine, it has it again, as far as records and prompts can tell.
pub(super) fn identify_engine(
    given: On<Add, RunEngine>,
    runs: Query<(&Run, &RunEngine, Option<&StageTask>)>,
    schedule: Res<Schedule>,
    mut commands: Commands,
) {
    let Ok((run, engine, stage)) = runs.get(given.entity) else {
        return;
    };
    let identity = match stage {
        Some(task) => schedule.stage_engines.get(&(run.stage(), task.npc.clone())),
        None => schedule
            .plans
            .get(&run.number())
            .and_then(|plan| plan.engine.as_ref()),
    };
    if let Some(identity) = identity {
        commands
            .entity(given.entity)
            .insert(engine.with_identity(identity.clone()));
    }
}

pub(super) fn step_of(phase: RunPhase) -> Option<RunStep> {
    match phase {
        RunPhase::Expectancy => Some(RunStep::Expectancy),
        RunPhase::Retrieval => Some(RunStep::Retrieval),
        RunPhase::Snapshot => Some(RunStep::Snapshot),
        RunPhase::Choosing => Some(RunStep::Choice),
        // A reply that is coming brings its next part in the next pass.
        RunPhase::Calling | RunPhase::Listening => Some(RunStep::Sentence),
        RunPhase::Validation => Some(RunStep::Validation),
        RunPhase::Commit => Some(RunStep::Commit),
        RunPhase::Failed => Some(RunStep::Failure),
        _ => None,
    }
}

/// How often the run has done this so far.
pub(super) fn repetitions(so_far: Option<&RunTimeline>, step: RunStep) -> usize {
    so_far.map_or(0, |so_far| so_far.times(step))
}
