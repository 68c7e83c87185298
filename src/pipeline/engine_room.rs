//! Which calls are made now: an engine serves no more at once than it can, whoever is spoken to goes first, nobody waits for
//! ever, and one that fails is left alone for a while (contract rows E1 and E3).
//!
//! Engines without a [`Capacity`](crate::engine::Capacity) are not asked here: their calls are made at once.

use super::interaction::InteractionContext;
use super::run::{ActiveRuns, Run, RunPhase};
use super::step::Serves;
use super::waiting_runs::runs_in_phase;
use crate::base::clock::DramatisClock;
use crate::base::time::CallTime;
use crate::engine::breaker::{Breaker, BreakerState};
use crate::engine::{RunEngine, Stage};
use crate::events::{BreakerChanged, CallPostponed};
use crate::npc::{CallPriority, NpcPriority, PlayerId};
use crate::outbox::{Outbox, Outgoing};
use crate::rules::TriggerReason;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// After so many milliseconds of waiting a run counts as one priority higher, so that nobody waits for ever.
const PATIENCE_MS: i64 = 5_000;

/// How the engines of a game are doing, by name; `None` is the default one. Only those stand here that have failed.
#[derive(Resource, Debug, Default)]
pub struct EngineRoom {
    breakers: BTreeMap<Option<String>, Breaker>,
    /// The runs whose turn it is, of engines that serve only so many at once.
    turns: BTreeSet<Entity>,
}

impl EngineRoom {
    /// Whether the engine of this name is asked; `None` for the default one.
    #[must_use]
    pub fn breaker(&self, engine: Option<&str>) -> BreakerState {
        let known = self.breakers.get(&engine.map(str::to_owned));
        known.map(Breaker::state).unwrap_or_default()
    }
}

/// On a run whose call waits for its turn. [`CallPostponed`] was sent.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct WaitsForTurn;

/// Whether the call of a run is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Admission {
    /// Now.
    Now,
    /// Later, when it is its turn.
    Later,
    /// Not at all, and why: the engine fails.
    Refused(String),
}

/// The system that decides, before calls start, which runs have their turn.
pub(crate) fn give_turns(world: &mut World, runs: &mut ActiveRuns) {
    let waiting = runs_in_phase(world, runs, RunPhase::Call, Serves::All);
    let mut room = world.remove_resource::<EngineRoom>().unwrap_or_default();
    room.turns.clear();
    if !waiting.is_empty() {
        let now = world.resource::<DramatisClock>().call;
        free_turns(world, runs, &waiting, now, &mut room);
    }
    world.insert_resource(room);
}

fn free_turns(
    world: &mut World,
    runs: &mut ActiveRuns,
    waiting: &[Entity],
    now: CallTime,
    room: &mut EngineRoom,
) {
    let mut in_flight: BTreeMap<Option<String>, u32> = BTreeMap::new();
    for (entity, run) in runs.iter(world) {
        // Its call is in flight.
        let is_calling = matches!(run.phase(), RunPhase::Calling | RunPhase::Listening);
        if let Some(engine) = world.get::<RunEngine>(entity).filter(|_| is_calling) {
            *in_flight
                .entry(engine.name().map(str::to_owned))
                .or_default() += 1;
        }
    }
    for (name, breaker) in &mut room.breakers {
        // A call that was to see whether the engine answers again may have been cancelled with its run.
        if !in_flight.contains_key(name) {
            breaker.forgotten(now);
        }
    }
    let mut rows: BTreeMap<Option<String>, Vec<(i64, u64, Entity)>> = BTreeMap::new();
    for entity in waiting {
        let (Some(run), Some(engine)) =
            (world.get::<Run>(*entity), world.get::<RunEngine>(*entity))
        else {
            continue;
        };
        if run.policy().sealed || engine.capacity().calls.is_none() {
            continue;
        }
        if run.waits_until().is_some_and(|until| now < until) {
            continue;
        }
        let waited = now.since(run.started()).0.max(0) / PATIENCE_MS;
        let rank = priority_of(world, *entity, run) as i64 - waited;
        let row = rows.entry(engine.name().map(str::to_owned)).or_default();
        row.push((rank, run.number(), *entity));
    }
    for (name, mut row) in rows {
        row.sort_unstable();
        let first = row
            .first()
            .and_then(|(.., run)| world.get::<RunEngine>(*run));
        let cap = first
            .and_then(|engine| engine.capacity().calls)
            .unwrap_or(1)
            .max(1);
        let free = cap.saturating_sub(in_flight.get(&name).copied().unwrap_or_default());
        let free = usize::try_from(free).unwrap_or(usize::MAX);
        for (place, (.., run)) in row.into_iter().enumerate() {
            if place < free {
                room.turns.insert(run);
            } else {
                postpone(world, run, place - free);
            }
        }
    }
}

/// How soon a run has its turn: as its character says, else by why it responds.
fn priority_of(world: &World, entity: Entity, run: &Run) -> CallPriority {
    if let Some(own) = world.get::<NpcPriority>(run.npc_entity()) {
        return own.0;
    }
    match run.stage() {
        Stage::Dialogue => {}
        Stage::Recap => return CallPriority::Background,
        // A player waits for a turn, and for a plan.
        _ => return CallPriority::SpokenTo,
    }
    let context = world.get::<InteractionContext>(entity);
    let speaker = context.and_then(|context| context.speaker.as_ref());
    let player = world.get_resource::<PlayerId>().map(|player| &player.0);
    if speaker.is_some() && speaker == player {
        return CallPriority::SpokenTo;
    }
    match context.map(|context| context.reason) {
        Some(TriggerReason::PlayerUtterance) => CallPriority::SpokenTo,
        Some(TriggerReason::NpcInteraction) | None => CallPriority::Ambient,
        Some(_) => CallPriority::Near,
    }
}

fn postpone(world: &mut World, entity: Entity, before: usize) {
    if world.entity(entity).contains::<WaitsForTurn>() {
        return;
    }
    let Some(run) = world.get::<Run>(entity) else {
        return;
    };
    let postponed = CallPostponed {
        entity: run.npc_entity(),
        npc: run.npc().clone(),
        run: entity,
        before,
    };
    world.entity_mut(entity).insert(WaitsForTurn);
    world
        .get_resource_or_init::<Outbox>()
        .push(Outgoing::CallPostponed(postponed));
}

/// Whether the call of this run is made now.
pub(super) fn admit(world: &mut World, entity: Entity, now: CallTime) -> Admission {
    let Some(engine) = world.get::<RunEngine>(entity) else {
        return Admission::Now;
    };
    let (name, capacity) = (engine.name().map(str::to_owned), engine.capacity());
    let Some(mut room) = world.get_resource_mut::<EngineRoom>() else {
        return Admission::Now;
    };
    if capacity.calls.is_some() && !room.turns.contains(&entity) {
        return Admission::Later;
    }
    if capacity.breaker.is_some()
        && let Some(breaker) = room.breakers.get_mut(&name)
    {
        let before = breaker.state();
        let admits = breaker.admits(now);
        let state = breaker.state();
        if !admits {
            let wait = match state {
                BreakerState::Open { until } => until.since(now).0.max(0),
                _ => 0,
            };
            let why = format!("the engine has failed too often and is asked again in {wait} ms");
            return Admission::Refused(why);
        }
        tell_of_change(world, name, before, state);
    }
    if let Ok(mut run) = world.get_entity_mut(entity) {
        run.remove::<WaitsForTurn>();
    }
    Admission::Now
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallResult {
    /// The engine has answered, whatever the answer was worth.
    Answered,
    /// The call has failed on its way, or nothing came in its time.
    Failed,
}

/// Notes what came of a call.
pub(super) fn note_call(world: &mut World, entity: Entity, result: CallResult) {
    let Some(engine) = world.get::<RunEngine>(entity) else {
        return;
    };
    let Some(settings) = engine.capacity().breaker else {
        return;
    };
    let name = engine.name().map(str::to_owned);
    let now = world.resource::<DramatisClock>().call;
    let Some(mut room) = world.get_resource_mut::<EngineRoom>() else {
        return;
    };
    let breaker = room.breakers.entry(name.clone()).or_default();
    let before = breaker.state();
    match result {
        CallResult::Answered => breaker.answered(),
        CallResult::Failed => breaker.failed(&settings, now),
    }
    let state = breaker.state();
    tell_of_change(world, name, before, state);
}

fn tell_of_change(
    world: &mut World,
    engine: Option<String>,
    before: BreakerState,
    state: BreakerState,
) {
    if before == state {
        return;
    }
    let named = engine.as_deref().unwrap_or("the default engine");
    log::warn!("{named}: {state:?}");
    world
        .get_resource_or_init::<Outbox>()
        .push(Outgoing::BreakerChanged(BreakerChanged { engine, state }));
}
