//! The one loop that takes runs through the pipeline. Each component brings a [`Step`]; everything around it is done here:
//! the order of the runs, what a replay holds back, the call of the journal's hook, the next phase, and the end of a run that
//! lacks something.

pub(crate) mod hook;
pub(crate) mod step;
pub(crate) mod systems;

use super::run::{ActiveRuns, Run, RunPhase};
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::seed::WorldSeed;
use crate::engine::DefaultEngine;
use crate::gate::CustomChecks;
use crate::npc::{KnownNames, PlayerId};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::call_hook;
use crate::pipeline::driver::step::{RunFault, Step, short_name};
use crate::pipeline::run::attempt_log::{begin_attempt, close_attempt};
use crate::pipeline::run::finish::has_host;
use crate::pipeline::run::waiting_runs::runs_in_phase;
use crate::pipeline::steps::expectancy::RustRules;
use crate::pipeline::steps::fallback::end_with_fault;
use crate::pipeline::steps::mutation::MutationGuards;
use crate::pipeline::steps::prompt::PromptBudget;
use crate::story::ActiveStory;
use crate::world::ActionRegistry;
use bevy::ecs::component::ComponentId;
use bevy::prelude::*;

/// The system that takes every run that waits for `step` one step further, in the order of the runs' numbers.
pub(crate) fn drive<S: Step>(step: S) -> impl FnMut(&mut World, &mut ActiveRuns) {
    let mut needed = None;
    move |world, runs| {
        let waiting = runs_in_phase(world, runs, S::PHASE, S::SERVES);
        if waiting.is_empty() {
            return;
        }
        let mut frame = S::Frame::default();
        let needed = &*needed.get_or_insert_with(|| needed_resources(world));
        let mut missing = None;
        for (place, run) in waiting.into_iter().enumerate() {
            if let Some(reads) = S::READS {
                if !has_character(world, run) {
                    // It ends as Cancelled at the beginning of the next pass.
                    continue;
                }
                call_hook(world, |hook, world| hook.before_step(world, run, reads));
            }
            // A run before this one, or the hook, may have made the game's observers remove something.
            if place == 0 || S::READS.is_some() {
                missing = missing_resource(world, needed);
            }
            let done = match missing {
                Some(missing) => Err(RunFault::Resource(missing)),
                None => step.run(world, run, &mut frame),
            };
            match done {
                // It waits on, such as for the rest of a reply.
                Ok(phase) if phase == S::PHASE => {}
                Ok(phase) => enter(world, run, phase),
                Err(fault) => end_with_fault(world, run, fault),
            }
        }
    }
}

/// One system for two steps of the same component: that of dialogues and that of stages. A system that has nothing to do costs
/// something in every frame, so there are few.
pub(crate) fn drive_both<D: Step, S: Step>(
    dialogues: D,
    stages: S,
) -> impl FnMut(&mut World, &mut ActiveRuns) {
    let (mut dialogues, mut stages) = (drive(dialogues), drive(stages));
    move |world, runs| {
        dialogues(world, runs);
        stages(world, runs);
    }
}

fn has_character(world: &World, run: Entity) -> bool {
    let npc = world.get::<Run>(run).map(Run::npc_entity);
    npc.is_some_and(|npc| has_host(world, npc))
}

/// Sends a run to its next phase. With its prompt an attempt begins; when it fails it is over.
fn enter(world: &mut World, entity: Entity, phase: RunPhase) {
    match phase {
        RunPhase::Prompt => begin_attempt(world, entity),
        RunPhase::Failed => close_attempt(world, entity, false),
        _ => {}
    }
    if let Some(mut run) = world.get_mut::<Run>(entity)
        && run.phase() != phase
    {
        run.set_phase(phase);
    }
}

/// The resources that the pipeline needs, with their names.
fn needed_resources(world: &mut World) -> Vec<(ComponentId, &'static str)> {
    macro_rules! ids {
        ($($resource:ty),* $(,)?) => {
            vec![$((world.register_component::<$resource>(), short_name::<$resource>())),*]
        };
    }
    ids!(
        ActionRegistry,
        ActiveStory,
        CustomChecks,
        DefaultEngine,
        DramatisClock,
        DramatisCounters,
        KnownNames,
        MutationGuards,
        Outbox,
        PlayerId,
        PromptBudget,
        RustRules,
        WorldSeed,
    )
}

/// The first of them that the game has removed.
fn missing_resource(world: &World, needed: &[(ComponentId, &'static str)]) -> Option<&'static str> {
    let missing = needed
        .iter()
        .find(|(id, _)| !world.contains_resource_by_id(*id));
    missing.map(|(_, name)| *name)
}
