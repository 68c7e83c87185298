//! The end of a run: its outcome, its place in the history, its character free for the next request.

use super::attempt_log::close_attempt;
use super::outcome::Outcome;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::events::RunEnded;
use crate::npc::submit::CancelRun;
use crate::npc::{LoadedCharacter, ReadyNpcs, RequestQueue, Thinking};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::call_hook;
use crate::pipeline::listening::ReplyInProgress;
use crate::pipeline::listening::heard::remember_heard;
use crate::pipeline::listening::overhearing::overhear;
use crate::pipeline::run::looking_back::note_outcome;
use crate::pipeline::run::{ActiveRun, HeldPhases, Run, RunPhase};
use crate::pipeline::stage::{StageHost, StageTask};
use crate::pipeline::steps::inference::CallInFlight;
use bevy::prelude::*;
use std::collections::VecDeque;

/// Runs that have ended, oldest first, kept for inspection. Older ones are despawned.
#[derive(Resource, Debug)]
pub struct RunHistory {
    /// How many runs are kept; 64 unless the game says otherwise. With 0 a run is despawned in the frame in which it ends,
    /// after all observers have been told.
    pub cap: usize,
    runs: VecDeque<Entity>,
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
    pub(crate) fn is_over_cap(&self) -> bool {
        self.runs.len() > self.cap
    }

    /// The entities of the runs, oldest first. A run that the game has despawned is still listed until it leaves.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Entity> + '_ {
        self.runs.iter().copied()
    }
}

/// Despawns the oldest runs, once all observers have been told of their end.
pub(crate) fn trim_history(world: &mut World) {
    let Some(mut history) = world.get_resource_mut::<RunHistory>() else {
        return;
    };
    let surplus = history.runs.len().saturating_sub(history.cap);
    let leaving: Vec<Entity> = history.runs.drain(..surplus).collect();
    for run in leaving {
        // The game may have despawned it.
        if let Ok(run) = world.get_entity_mut(run) {
            run.despawn();
        }
    }
}

/// Whether a run has a host: a character, or for a stage its turn.
pub(crate) fn has_host(world: &World, host: Entity) -> bool {
    let host = world.get_entity(host);
    host.is_ok_and(|host| host.contains::<LoadedCharacter>() || host.contains::<StageHost>())
}

/// Ends a run. A run that is over already stays as it is.
pub(crate) fn end_run(world: &mut World, entity: Entity, outcome: Outcome) {
    let Some(run) = world.get::<Run>(entity) else {
        return;
    };
    if run.phase() == RunPhase::Ended {
        return;
    }
    let (npc, npc_entity, stage) = (run.npc().to_owned(), run.npc_entity(), run.stage());
    if let Some(flight) = world.entity_mut(entity).take::<CallInFlight>() {
        // Sentences of a reply that is over were judged with its end in sight, and are again when the run is replayed.
        let reply = world.get::<ReplyInProgress>(entity);
        let arrived = match reply.is_some_and(|reply| reply.reader().has_ended()) {
            true => flight.into_arrived(),
            false => flight.abort(None),
        };
        world.entity_mut(entity).insert(arrived);
    }
    close_attempt(world, entity, matches!(outcome, Outcome::Accepted { .. }));
    if outcome.line().is_none() {
        remember_heard(world, entity);
    }
    if let Some(mut run) = world.get_mut::<Run>(entity) {
        run.set_phase(RunPhase::Ended);
    }
    world
        .entity_mut(entity)
        .insert(outcome.clone())
        .remove::<(ActiveRun, CancelRun, ReplyInProgress)>();
    note_outcome(world, entity, &outcome);
    overhear(world, entity, &outcome);
    free_character(world, npc_entity, entity);
    // The game gets no event for a run in the background.
    if !stage.is_background() {
        send_end(world, npc_entity, npc, entity, outcome);
    }
    let mut history = world.get_resource_or_init::<RunHistory>();
    history.runs.push_back(entity);
    // A turn of an adventure has a record of its own.
    if world.get::<StageTask>(entity).is_none() {
        call_hook(world, |hook, world| hook.run_ended(world, entity));
    }
}

/// A character whose run is over can begin its next one.
pub(crate) fn free_character(world: &mut World, npc: Entity, run: Entity) {
    let Ok(mut character) = world.get_entity_mut(npc) else {
        return;
    };
    if character.get::<Thinking>().map(|thinking| thinking.run) != Some(run) {
        return;
    }
    character.remove::<Thinking>();
    let queue = character.get::<RequestQueue>();
    if queue.is_some_and(|queue| !queue.is_empty()) {
        world.get_resource_or_init::<ReadyNpcs>().0.insert(npc);
    }
}

/// Counts the end of a run, and tells of it.
pub(crate) fn send_end(world: &mut World, entity: Entity, npc: Id, run: Entity, outcome: Outcome) {
    let mut counters = world.get_resource_or_init::<DramatisCounters>();
    match &outcome {
        Outcome::Accepted { .. } => counters.accepted += 1,
        Outcome::Fallback { .. } => counters.fallbacks += 1,
        Outcome::Cancelled => counters.cancelled += 1,
        Outcome::Rejected | Outcome::Failed => {}
    }
    let ended = RunEnded {
        entity: Some(entity),
        npc,
        run,
        outcome,
    };
    world.get_resource_or_init::<Outbox>().tell_about(ended);
}

/// Ends runs that were cancelled or whose character is gone. Late chunks change nothing: their call is dropped here.
pub(crate) fn end_cancelled(
    world: &mut World,
    active: &mut QueryState<(Entity, &Run, Has<CancelRun>), With<ActiveRun>>,
) {
    let mut ending: Vec<(u64, Entity)> = active
        .iter(world)
        .filter(|(entity, run, cancelled)| {
            let gone = !has_host(world, run.npc_entity());
            let now = LoadedCharacter::id_of(world, run.npc_entity());
            let is_another = now.is_some_and(|now| now != *run.npc());
            (*cancelled || gone || is_another)
                && !HeldPhases::holds(world.get(*entity), RunPhase::Ended)
        })
        .map(|(entity, run, _)| (run.number(), entity))
        .collect();
    ending.sort_unstable();
    for (_, entity) in ending {
        end_run(world, entity, Outcome::Cancelled);
    }
}
