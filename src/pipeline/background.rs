//! Runs of a character for which the game does not wait: they say nothing, and delay no other run.

use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::memory::Mind;
use crate::npc::LoadedCharacter;
use crate::pipeline::driver::hook::{RunStep, call_hook};
use crate::pipeline::run::Run;
use crate::pipeline::steps::interaction::{
    InteractionContext, RunNumbers, choose_engine, spawn_run,
};
use crate::policy::RunPolicy;
use crate::rules::TriggerReason;
use bevy::prelude::*;

/// How such a run goes: one attempt within a minute, and no line.
const POLICY: RunPolicy = RunPolicy {
    max_attempts: 1,
    ..RunPolicy::STAGE
};

/// Begins a run of a character for which the game does not wait. False where no engine can serve it.
pub(super) fn begin_background(
    world: &mut World,
    npc: Entity,
    stage: Stage,
    speaker: Option<Id>,
    about: impl Bundle,
) -> bool {
    let (Some(character), Some(mind)) = (world.get::<LoadedCharacter>(npc), world.get::<Mind>(npc))
    else {
        return false;
    };
    let id = character.0.id.clone();
    let interaction_count = mind.interactions;
    let Ok(engine) = choose_engine(world, npc, stage) else {
        return false;
    };
    let clock = *world.get_resource_or_init::<DramatisClock>();
    let context = InteractionContext {
        speaker,
        interaction_count,
        ..InteractionContext::bare(&id, TriggerReason::Custom, clock.game)
    };
    let number = RunNumbers::next(world);
    let mut run = Run::new(number, (npc, &id), stage, POLICY, clock.call);
    run.note_thinking_line();
    let run = spawn_run(world, run, engine, (context, about));
    call_hook(world, |hook, world| {
        hook.before_step(world, run, RunStep::Start);
    });
    true
}
