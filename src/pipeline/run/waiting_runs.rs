//! Which runs a step finds waiting for it.

use crate::pipeline::driver::step::Serves;
use crate::pipeline::run::{ActiveRuns, HeldPhases, RunPhase};
use bevy::prelude::*;

/// The active runs that wait in a phase, in the order of their numbers, without those that a replay holds back.
pub(crate) fn runs_in_phase(
    world: &World,
    runs: &mut ActiveRuns,
    phase: RunPhase,
    serves: Serves,
) -> Vec<Entity> {
    let mut waiting: Vec<(u64, Entity)> = runs
        .iter(world)
        .filter(|(entity, run)| {
            run.phase() == phase
                && serves.serves(run.stage())
                && !HeldPhases::holds(world.get(*entity), phase)
        })
        .map(|(entity, run)| (run.number(), entity))
        .collect();
    waiting.sort_unstable();
    waiting.into_iter().map(|(_, entity)| entity).collect()
}
