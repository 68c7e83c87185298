//! Which calls are made now: an engine serves no more calls at once than it can, the character that the player speaks to goes
//! first, no call waits forever, a call that cannot be in time is refused at once, and the code leaves an engine that fails
//! alone for a while.
//!
//! `turns` decides, from the waiting calls and the capacity of the engine; this file knows the state of the engines, and acts on
//! the runs. Engines that set no bounds (see [`Capacity`]) do not take part: their calls are made at once.

pub(crate) mod crowd;
pub(crate) mod default_engine;
pub(crate) mod identify;
mod pace;
pub(crate) mod sealed;
mod spending;
mod turns;
pub(crate) mod warming;
pub(crate) mod watch_engines;

use self::pace::Pace;
use self::spending::Spending;
use self::turns::{MAX_SLOTS, Room, Slots, Turn, Waiting, tokens_of, turns};
use super::run::{ActiveRuns, Run, RunPhase};
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::engine::breaker::{Breaker, BreakerState};
use crate::engine::{Capacity, DefaultEngine, EngineStatus, Inference, RunEngine, Stage};
use crate::events::{BreakerChanged, CallPostponed, CallRefusal, CallRefused};
use crate::npc::{NpcBudget, NpcPriority, PlayerId, limits_of};
use crate::outbox::Outbox;
use crate::pipeline::driver::step::Serves;
use crate::pipeline::run::attempt::ChoiceRecord;
use crate::pipeline::run::waiting_runs::runs_in_phase;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::pipeline::steps::prompt::AssembledPrompt;
use crate::pipeline::steps::snapshot::{Ask, StateSnapshot};
use crate::rules::TriggerReason;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// After this number of milliseconds of waiting a run counts as one priority higher, so that no run waits forever.
const PATIENCE_MS: i64 = 5_000;

/// The name of an engine; `None` for the default one.
type EngineName = Option<String>;

/// How the engines of a game are doing. It knows those alone that have failed or that bound their calls.
#[derive(Resource, Debug, Default)]
pub(crate) struct EngineRoom {
    engines: BTreeMap<EngineName, EngineState>,
    /// What was spent of the budgets of characters.
    characters: BTreeMap<Id, Spending>,
    /// What becomes in this frame of the runs whose calls wait.
    turns: BTreeMap<Entity, Turn>,
}

/// The known state of an engine.
#[derive(Debug, Default)]
struct EngineState {
    breaker: Breaker,
    spending: Spending,
    pace: Pace,
    slots: Slots,
}

impl EngineRoom {
    /// Whether the engine of this name is asked; `None` for the default one.
    #[must_use]
    pub fn breaker(&self, engine: Option<&str>) -> BreakerState {
        let known = self.engines.get(&engine.map(str::to_owned));
        known.map(|state| state.breaker.state()).unwrap_or_default()
    }

    /// The engine of this name is asked again, whatever the results of its earlier calls.
    pub(super) fn trust(&mut self, engine: &Option<String>) {
        if let Some(state) = self.engines.get_mut(engine) {
            state.breaker = Breaker::default();
        }
    }

    /// How long a call of the engine of this name takes, `None` for the default one: the median of the last answered calls, in
    /// call time. Nothing while fewer than four were answered, and for an engine that sets no bounds.
    #[cfg(feature = "inspector")]
    #[must_use]
    pub fn typical_call(&self, engine: Option<&str>) -> Option<Millis> {
        self.engines.get(&engine.map(str::to_owned))?.pace.typical()
    }
}

/// On a run whose call waits for its turn. [`CallPostponed`] was sent.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet")]
pub struct WaitsForTurn;

/// On a run whose call is in flight: the slot of the engine that it has.
#[derive(Component, Debug, Clone, Copy)]
#[component(storage = "SparseSet")]
pub(crate) struct HasSlot(pub u32);

/// Whether the call of a run is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Admission {
    /// Now, in this slot where the engine has some.
    Now(Option<u32>),
    /// Later, when it is its turn.
    Later,
    /// Neither now nor later: the attempt fails with this reason.
    Refused(CallRefusal),
}

/// The system that decides, before calls start, which runs have their turn.
pub(crate) fn give_turns(world: &mut World, runs: &mut ActiveRuns) {
    let waiting = runs_in_phase(world, runs, RunPhase::Call, Serves::All);
    // Leaves an empty one in its place: taking a resource out of the world and putting it back costs more.
    let mut room = std::mem::take(&mut *world.get_resource_or_init::<EngineRoom>());
    room.turns.clear();
    if !waiting.is_empty() {
        let now = world.resource::<DramatisClock>().call;
        free_turns(world, runs, &waiting, now, &mut room);
    }
    *world.get_resource_or_init::<EngineRoom>() = room;
}

/// The calls of one engine that are in flight.
#[derive(Debug, Default)]
struct InFlight {
    calls: u32,
    slots: BTreeSet<u32>,
}

fn in_flight(world: &World, runs: &mut ActiveRuns) -> BTreeMap<EngineName, InFlight> {
    let mut all: BTreeMap<EngineName, InFlight> = BTreeMap::new();
    for (entity, run) in runs.iter(world) {
        let is_calling = matches!(run.phase(), RunPhase::Calling | RunPhase::Listening);
        if !is_calling && !is_between_calls(world, entity, run) {
            continue;
        }
        let engine = world.get::<RunEngine>(entity);
        let Some(engine) = engine.filter(|engine| !was_replaced(world, engine)) else {
            continue;
        };
        let one = all.entry(engine.name().map(str::to_owned)).or_default();
        one.calls += 1;
        one.slots
            .extend(world.get::<HasSlot>(entity).map(|slot| slot.0));
    }
    all
}

/// Whether a run has been answered what its character does and goes on to ask for the words: it keeps its turn. Where calls are
/// counted by the minute, each call waits for its own.
fn is_between_calls(world: &World, entity: Entity, run: &Run) -> bool {
    let is_counted = || {
        let engine = world.get::<RunEngine>(entity);
        engine.is_some_and(|engine| engine.capacity().budget.is_bounded())
            || world.get::<NpcBudget>(run.npc_entity()).is_some()
    };
    let has_answer = match run.phase() {
        RunPhase::Choosing => {
            let frozen = world.get::<StateSnapshot>(entity);
            frozen.is_some_and(|frozen| matches!(frozen.body().ask, Ask::Choice(_)))
        }
        RunPhase::Prompt | RunPhase::Call => {
            let choice = world.get::<ChoiceRecord>(entity);
            choice.is_some_and(|choice| choice.call.is_some())
        }
        _ => false,
    };
    has_answer && !is_counted()
}

/// Whether this engine can take a call that the game does not wait for: it is ready, and has not failed.
pub(super) fn is_idle(world: &World, engine: &RunEngine) -> bool {
    let room = world.get_resource::<EngineRoom>();
    let breaker = room.map(|room| room.breaker(engine.name()));
    let is_closed = matches!(breaker, None | Some(BreakerState::Closed));
    is_closed && engine.status() == EngineStatus::Ready
}

/// The slot in which an engine that does nothing else reads ahead, which is noted; `None` where it has no slots.
pub(super) fn slot_to_warm(world: &mut World, engine: &RunEngine, system: &str) -> Option<u32> {
    let capacity = engine.capacity();
    let calls = capacity.calls.filter(|_| capacity.slots)?;
    let mut room = world.get_resource_or_init::<EngineRoom>();
    let name = engine.name().map(str::to_owned);
    let slots = &mut room.engines.entry(name).or_default().slots;
    let slot = slots.best(system, 0..calls.clamp(1, MAX_SLOTS))?;
    slots.read(slot, system);
    Some(slot)
}

/// Whether the calls of this run are bounded by its engine, or by its character's budget. Runs of a default engine that was
/// replaced end as they can.
pub(super) fn is_bounded(
    world: &World,
    run: &Run,
    engine: &RunEngine,
    capacity: &Capacity,
) -> bool {
    !run.policy().sealed
        && !was_replaced(world, engine)
        && (capacity.calls.is_some()
            || capacity.budget.is_bounded()
            || world.get::<NpcBudget>(run.npc_entity()).is_some())
}

fn free_turns(
    world: &mut World,
    runs: &mut ActiveRuns,
    waiting: &[Entity],
    now: CallTime,
    room: &mut EngineRoom,
) {
    let mut in_flight = in_flight(world, runs);
    for (name, state) in &mut room.engines {
        // A call that was to see whether the engine answers again may have been cancelled with its run.
        if !in_flight.contains_key(name) {
            state.breaker.forgotten(now);
        }
    }
    room.characters.retain(|_, spending| {
        spending.forget(now);
        !spending.is_empty()
    });
    let (none, idle) = (EngineState::default(), InFlight::default());
    let mut given = BTreeMap::new();
    let mut rows: BTreeMap<EngineName, (Capacity, Vec<Waiting>)> = BTreeMap::new();
    for entity in waiting {
        let (Some(run), Some(engine)) =
            (world.get::<Run>(*entity), world.get::<RunEngine>(*entity))
        else {
            continue;
        };
        let capacity = engine.capacity();
        let is_late = run.waits_until().is_some_and(|until| now < until);
        if is_late || !is_bounded(world, run, engine, &capacity) {
            continue;
        }
        let name = engine.name().map(str::to_owned);
        if is_between_calls(world, *entity, run) {
            let own = world.get::<HasSlot>(*entity).map(|slot| slot.0);
            let state = room.engines.get(&name).unwrap_or(&none);
            let flying = in_flight.entry(name).or_default();
            let prompt = world.get::<AssembledPrompt>(*entity);
            let prompt = prompt.map_or("", |prompt| prompt.text());
            // Its words may have been begun in another slot than the one in which it chose.
            let slot = own.and_then(|own| {
                flying.slots.remove(&own);
                let all = 0..capacity.calls.unwrap_or_default().min(MAX_SLOTS);
                let free = all.filter(|slot| !flying.slots.contains(slot));
                state.slots.best(prompt, free)
            });
            flying.slots.extend(slot);
            given.insert(*entity, Turn::Now { slot });
            continue;
        }
        let row = rows.entry(name).or_insert_with(|| (capacity, Vec::new()));
        row.1.push(call_of(world, *entity, run, now, room));
    }
    for (name, (capacity, row)) in rows {
        let state = room.engines.get(&name).unwrap_or(&none);
        let flying = in_flight.get(&name).unwrap_or(&idle);
        let offered = Room {
            now,
            calls: capacity.calls,
            in_flight: flying.calls,
            busy: &flying.slots,
            slots: &state.slots,
            budget: capacity.budget,
            spending: &state.spending,
            pace: state.pace.typical(),
        };
        given.extend(turns(&offered, row));
    }
    for (run, turn) in &given {
        if let Turn::Later { before } = turn {
            postpone(world, *run, *before);
        }
    }
    room.turns = given;
}

fn call_of<'a>(
    world: &'a World,
    entity: Entity,
    run: &Run,
    now: CallTime,
    room: &EngineRoom,
) -> Waiting<'a> {
    let waited = now.since(run.started()).0.max(0) / PATIENCE_MS;
    let prompt = world.get::<AssembledPrompt>(entity);
    let prompt = prompt.map(|prompt| &**prompt.text());
    let mut call = Waiting {
        run: entity,
        number: run.number(),
        rank: priority_of(world, entity, run) as i64 - waited,
        time_left: run.deadline().since(now),
        own_wait: Millis(0),
        prompt: prompt.unwrap_or_default(),
        reply_tokens: limits_of(world, run.npc_entity()).reply_tokens,
    };
    if let Some(budget) = world.get::<NpcBudget>(run.npc_entity()) {
        let none = Spending::default();
        let spending = room.characters.get(run.npc()).unwrap_or(&none);
        call.own_wait = spending.wait(&budget.0, now, Default::default(), call.tokens());
    }
    call
}

/// How soon a run has its turn: as its character says, else by why it responds.
fn priority_of(world: &World, entity: Entity, run: &Run) -> NpcPriority {
    if let Some(own) = world.get::<NpcPriority>(run.npc_entity()) {
        return *own;
    }
    match run.stage() {
        Stage::Dialogue => {}
        Stage::Recap | Stage::Remember | Stage::Diary | Stage::PlayerLines => {
            return NpcPriority::Background;
        }
        // A player waits for a turn, and for a plan.
        _ => return NpcPriority::SpokenTo,
    }
    let context = world.get::<InteractionContext>(entity);
    let speaker = context.and_then(|context| context.speaker.as_ref());
    let player = world.get_resource::<PlayerId>().map(|player| &player.0);
    if speaker.is_some() && speaker == player {
        return NpcPriority::SpokenTo;
    }
    match context.map(|context| context.reason) {
        Some(TriggerReason::PlayerUtterance) => NpcPriority::SpokenTo,
        Some(TriggerReason::NpcInteraction) | None => NpcPriority::Ambient,
        Some(_) => NpcPriority::Near,
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
        entity: Some(run.npc_entity()),
        npc: run.npc().clone(),
        run: entity,
        before,
    };
    world.entity_mut(entity).insert(WaitsForTurn);
    world.get_resource_or_init::<Outbox>().tell_about(postponed);
}

/// Whether the call of this run is made now. If it is, it counts from now on.
pub(super) fn admit(world: &mut World, entity: Entity, now: CallTime) -> Admission {
    let (Some(run), Some(engine)) = (world.get::<Run>(entity), world.get::<RunEngine>(entity))
    else {
        return Admission::Now(None);
    };
    let (name, capacity) = (engine.name().map(str::to_owned), engine.capacity());
    let status = engine.status();
    let was_replaced = was_replaced(world, engine);
    let is_bounded = is_bounded(world, run, engine, &capacity);
    let Some(mut room) = world.get_resource_mut::<EngineRoom>() else {
        return Admission::Now(None);
    };
    if let Some(why) = status.hindrance() {
        return Admission::Refused(CallRefusal::NotReady(why.to_owned()));
    }
    let mut slot = None;
    if is_bounded {
        match room.turns.get(&entity) {
            Some(Turn::Now { slot: given }) => slot = *given,
            Some(Turn::TooLate) => return Admission::Refused(CallRefusal::TooLate),
            Some(Turn::Later { .. }) | None => return Admission::Later,
        }
    }
    if capacity.breaker.is_some()
        && !was_replaced
        && let Some(state) = room.engines.get_mut(&name)
    {
        let before = state.breaker.state();
        let admits = state.breaker.admits(now);
        let after = state.breaker.state();
        if !admits {
            let wait = match after {
                BreakerState::Open { until } => until.since(now).0.max(0),
                _ => 0,
            };
            return Admission::Refused(CallRefusal::Failing { wait: Millis(wait) });
        }
        tell_of_change(world, name.clone(), before, after);
    }
    if is_bounded {
        begin(world, entity, name, &capacity, slot, now);
    }
    Admission::Now(slot.filter(|_| capacity.slots))
}

/// Counts a call that begins.
fn begin(
    world: &mut World,
    entity: Entity,
    name: EngineName,
    capacity: &Capacity,
    slot: Option<u32>,
    now: CallTime,
) {
    let Some(mut room) = world.get_resource_mut::<EngineRoom>() else {
        return;
    };
    let mut room = std::mem::take(&mut *room);
    if let Some(run) = world.get::<Run>(entity) {
        let call = call_of(world, entity, run, now, &room);
        let state = room.engines.entry(name).or_default();
        if capacity.budget.is_bounded() {
            state.spending.begin(now, call.number, call.tokens());
        }
        if let Some(slot) = slot {
            state.slots.read(slot, call.prompt);
        }
        if world.get::<NpcBudget>(run.npc_entity()).is_some() {
            let spending = room.characters.entry(run.npc().clone()).or_default();
            spending.begin(now, call.number, call.tokens());
        }
    }
    *world.get_resource_or_init::<EngineRoom>() = room;
    if let Ok(mut run) = world.get_entity_mut(entity) {
        run.remove::<WaitsForTurn>();
        match slot {
            Some(slot) => run.insert(HasSlot(slot)),
            None => run.remove::<HasSlot>(),
        };
    }
}

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallResult {
    /// The engine has answered, no matter how good the answer is.
    Answered,
    /// The call has failed on its way, or nothing came in its time.
    Failed,
}

/// Notes the result of a call, and the time and tokens that it took.
pub(super) fn note_call(
    world: &mut World,
    entity: Entity,
    result: CallResult,
    arrived: &Inference,
) {
    let (Some(run), Some(engine)) = (world.get::<Run>(entity), world.get::<RunEngine>(entity))
    else {
        return;
    };
    let capacity = engine.capacity();
    let (number, npc) = (run.number(), run.npc().clone());
    let is_bounded = is_bounded(world, run, engine, &capacity);
    if !is_bounded && capacity.breaker.is_none() {
        return;
    }
    let was_replaced = was_replaced(world, engine);
    let name = engine.name().map(str::to_owned);
    let now = world.resource::<DramatisClock>().call;
    let took = now.since(run.call_started());
    let prompt = world.get::<AssembledPrompt>(entity);
    let prompt = prompt.map_or(0, |prompt| prompt.text().len());
    let tokens = match arrived.usage {
        Some(usage) => usage.prompt.saturating_add(usage.completion),
        None => tokens_of(prompt + arrived.bytes.len()),
    };
    let Some(mut room) = world.get_resource_mut::<EngineRoom>() else {
        return;
    };
    if let Some(spending) = room.characters.get_mut(&npc) {
        spending.settle(number, tokens);
    }
    if was_replaced {
        return;
    }
    let state = room.engines.entry(name.clone()).or_default();
    state.spending.settle(number, tokens);
    if is_bounded && result == CallResult::Answered {
        state.pace.note(took);
    }
    if let Some(settings) = capacity.breaker {
        let before = state.breaker.state();
        match result {
            CallResult::Answered => state.breaker.answered(),
            CallResult::Failed => state.breaker.failed(&settings, now),
        }
        let after = state.breaker.state();
        tell_of_change(world, name, before, after);
    }
}

/// Forgets the state of an engine, because another one has replaced it. The game is told that it is asked again.
pub(super) fn forget_engine(world: &mut World, name: EngineName) {
    let room = world.get_resource_mut::<EngineRoom>();
    let known = room.and_then(|mut room| room.engines.remove(&name));
    let breaker = known.map(|state| state.breaker.state()).unwrap_or_default();
    tell_of_change(world, name, breaker, BreakerState::Closed);
}

/// Whether another engine has replaced the default engine that served this run.
fn was_replaced(world: &World, engine: &RunEngine) -> bool {
    let default = world.get_resource::<DefaultEngine>();
    engine.name().is_none() && default.is_some_and(|default| !engine.is_default(default))
}

/// Tells that a call is not made.
pub(super) fn tell_refusal(world: &mut World, entity: Entity, reason: CallRefusal) {
    let Some(run) = world.get::<Run>(entity) else {
        return;
    };
    let refused = CallRefused {
        entity: Some(run.npc_entity()),
        npc: run.npc().clone(),
        run: entity,
        reason,
    };
    world.get_resource_or_init::<Outbox>().tell_about(refused);
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
    match state {
        BreakerState::Open { .. } => log::warn!(
            "{named} fails: it is not asked for a while, and characters say authored lines"
        ),
        BreakerState::HalfOpen => {
            log::info!("{named} is asked once more, to see whether it answers")
        }
        BreakerState::Closed => log::info!("{named} answers again"),
    }
    world
        .get_resource_or_init::<Outbox>()
        .tell_all(BreakerChanged { engine, state });
}
