//! How a run of a stage starts.

use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::engine::{EngineChoiceError, Stage};
use crate::events::RunStarted;
use crate::outbox::Outbox;
use crate::pipeline::run::attempt::AttemptLog;
use crate::pipeline::run::{ActiveRun, Run, RunOf};
use crate::pipeline::stage::StageTask;
use crate::pipeline::steps::interaction::{InteractionContext, RunNumbers, choose_engine};
use crate::policy::RunPolicy;
use crate::rules::TriggerReason;
use bevy::prelude::*;

/// Starts a run of a stage. `host` is the entity that it belongs to, which carries a [`StageHost`](crate::pipeline::StageHost);
/// `actor` is whose intention it makes, resolves or reads, and `interactions` is how many runs that one has ended before.
///
/// # Errors
/// [`EngineChoiceError`] when no engine can serve the stage. No run has started then.
pub(crate) fn start_stage(
    world: &mut World,
    host: Entity,
    stage: Stage,
    actor: &Id,
    reason: TriggerReason,
    interactions: u64,
    task: StageTask,
) -> std::result::Result<Entity, EngineChoiceError> {
    let engine = choose_engine(world, host, stage)?;
    let clock = *world.get_resource_or_init::<DramatisClock>();
    let context = InteractionContext {
        reason,
        npc: actor.clone(),
        speaker: None,
        input: Some(task.input.clone()).filter(|input| !input.is_empty()),
        game_time: clock.game,
        scene: None,
        tags: Vec::new(),
        trigger_id: None,
        prompt: None,
        interaction_count: interactions,
        whisper: false,
    };
    let mut numbers = world.get_resource_or_init::<RunNumbers>();
    let number = numbers.0;
    numbers.0 += 1;
    let policy = match stage {
        Stage::PlanIntent | Stage::Plan => RunPolicy::PLAN,
        _ => RunPolicy::STAGE,
    };
    let run = Run::new(number, (host, actor), stage, policy, clock.call);
    let run = world
        .spawn((
            run,
            RunOf(host),
            ActiveRun,
            AttemptLog::default(),
            context,
            task,
        ))
        .id();
    if let Some(engine) = engine {
        world.entity_mut(run).insert(engine);
    }
    world.get_resource_or_init::<Outbox>().tell(RunStarted {
        entity: host,
        npc: actor.clone(),
        run,
    });
    Ok(run)
}
