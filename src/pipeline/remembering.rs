//! What a character remembers of its talks, where it is asked in parts: after some exchanges, or when a talk is over, it is asked
//! once in the background. It is a run of its own, without a line, that delays no other one.

use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::limits::Limits;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, limits_of};
use crate::pipeline::driver::hook::{RunStep, call_hook};
use crate::pipeline::run::attempt::AttemptLog;
use crate::pipeline::run::looking_back::{Remembers, is_remembering, note_end};
use crate::pipeline::run::{ActiveRun, Run, RunOf};
use crate::pipeline::steps::interaction::{InteractionContext, RunNumbers, choose_engine};
use crate::policy::RunPolicy;
use crate::recorded::InputsAreFed;
use crate::rules::TriggerReason;
use bevy::prelude::*;

/// On a character that has talked and not looked back on it: so that nobody looks for it among all others in every frame.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct HasTalked;

/// Marks a character whose mind has something to look back on, wherever that comes from: a talk, a save, or a life before.
pub(crate) fn note_talk(
    changed: On<Insert, Mind>,
    minds: Query<&Mind, Without<HasTalked>>,
    mut commands: Commands,
) {
    let waits = |mind: &Mind| mind.unremembered.exchanges > 0;
    if minds.get(changed.entity).is_ok_and(waits) {
        commands.entity(changed.entity).insert(HasTalked);
    }
}

/// How such a run goes: one attempt within a minute, and no line.
const POLICY: RunPolicy = RunPolicy {
    max_attempts: 1,
    ..RunPolicy::STAGE
};

/// The system that asks each character what it remembers whose time has come, in the order of their ids.
pub(crate) fn begin_due(
    world: &mut World,
    minds: &mut QueryState<(Entity, &LoadedCharacter), With<HasTalked>>,
) {
    // A recording says when it was.
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let Some(now) = world
        .get_resource::<DramatisClock>()
        .map(|clock| clock.game)
    else {
        return;
    };
    let mut talked: Vec<(Id, Entity)> = minds
        .iter(world)
        .map(|(entity, character)| (character.0.id.clone(), entity))
        .collect();
    talked.sort_unstable();
    for (_, npc) in talked {
        let limits = limits_of(world, npc);
        let Some(mind) = world.get::<Mind>(npc) else {
            continue;
        };
        if mind.unremembered.exchanges == 0 {
            world.entity_mut(npc).remove::<HasTalked>();
        } else if is_due(mind, &limits, now) && !is_remembering(world, npc) {
            begin(world, npc);
        }
    }
}

/// Whether there have been enough exchanges since the last time, or the talk is over.
fn is_due(mind: &Mind, limits: &Limits, now: GameTime) -> bool {
    let waiting = mind.unremembered;
    let new = waiting.exchanges.saturating_sub(waiting.tried);
    let silence = Millis(now.0.saturating_sub(waiting.last.0));
    new >= limits.remember_every || new > 0 && silence >= limits.talk_ends
}

/// Asks a character what it remembers of what it has talked about.
pub(crate) fn begin(world: &mut World, npc: Entity) {
    let (Some(character), Some(mind)) = (world.get::<LoadedCharacter>(npc), world.get::<Mind>(npc))
    else {
        return;
    };
    let id = character.0.id.clone();
    let exchanges = mind.to_remember();
    let speaker = exchanges.last().map(|last| last.speaker.clone());
    let interaction_count = mind.interactions;
    let Ok(engine) = choose_engine(world, npc, Stage::Remember) else {
        // None can serve it: it is let go like one that was asked in vain.
        note_end(world, npc, exchanges.len(), false);
        return;
    };
    let clock = *world.get_resource_or_init::<DramatisClock>();
    let context = InteractionContext {
        speaker: speaker.and_then(|speaker| Id::new(&speaker).ok()),
        interaction_count,
        ..InteractionContext::bare(&id, TriggerReason::Custom, clock.game)
    };
    let number = RunNumbers::next(world);
    let mut run = Run::new(number, (npc, &id), Stage::Remember, POLICY, clock.call);
    // Nobody waits for it.
    run.note_thinking_line();
    let run = world
        .spawn((
            run,
            RunOf(npc),
            ActiveRun,
            AttemptLog::default(),
            context,
            Remembers(exchanges),
        ))
        .id();
    if let Some(engine) = engine {
        world.entity_mut(run).insert(engine);
    }
    call_hook(world, |hook, world| {
        hook.before_step(world, run, RunStep::Start);
    });
}
