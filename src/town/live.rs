//! Characters live their days: what is due happens in order of game time, however long the frame was.

use super::events::RoutineBlocked;
use super::life::{Blocked, Life, MAX_BLOCKED, Town};
use super::meet::{Companions, Company, arrive, look_around, meet, next_meeting, remembers_more};
use super::walks::{StepWanted, WalksItself};
use super::way::Ways;
use crate::authoring::Character;
use crate::base::clock::DramatisClock;
use crate::base::fixed::{Millionths, Millis};
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::base::time::GameTime;
use crate::commit::applied::AppliedAction;
use crate::commit::commit_own_turn;
use crate::engine::Stage;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind, TurnRecord, take_turn};
use crate::memory::episode::lived_id;
use crate::memory::{Episode, Mind};
use crate::npc::doing::{Doing, current_entry, doing, is_there};
use crate::npc::{LoadedCharacter, change_mind, limits_of};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::call_hook;
use crate::pipeline::{ActiveRun, Run};
use crate::recorded::InputsAreFed;
use crate::rules::RuleCondition;
use crate::story::{ActiveStory, Rules};
use crate::world::actions::MoveTo;
use crate::world::bindings::WorldBindings;
use crate::world::refresh::refresh;
use crate::world::{
    Groups, PlacedIn, Placement, ProposedAction, ReasonCode, WorldFacts, WorldFlags, WorldIndex,
    WorldRead, WorldView,
};
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How long a talk holds a character behind its end, in game time.
const HOLD: Millis = Millis(60_000);
/// How long after a denied step it is tried again, in game time.
const TRY_AGAIN: Millis = Millis(60_000);
/// How much it matters that an entry of a routine has ended, 0 to 1.
const SIGNIFICANCE: Millionths = Millionths(100_000);
/// How often something happens to a character in one frame, at most: more than in a year of busy days. It sleeps through the rest.
const MOST_AT_ONCE: usize = 20_000;

type Living = (
    Entity,
    &'static LoadedCharacter,
    &'static Life,
    Option<&'static PlacedIn>,
    Option<Ref<'static, Mind>>,
);

/// The system that lets everything happen whose time has come: in order of time, and at one time first to the characters in the order
/// of their ids, and then between those who meet.
pub(crate) fn live(
    world: &mut World,
    living: &mut QueryState<Living>,
    companions: &mut QueryState<Companions>,
) {
    // A recording says what has happened.
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let now = world.resource::<DramatisClock>().game;
    let mut town = world.get_resource_or_init::<Town>();
    let last = town.last.replace(now).unwrap_or(now).min(now);
    let mut due = due_now(world, living, (last, now));
    let is_news = look_around(world, companions, last);
    let next_meeting = |world: &World| next_meeting(world).filter(|next| is_news && *next <= now);
    if due.is_empty() && next_meeting(world).is_none() {
        return;
    }
    let held = held(world);
    let mut times: BTreeMap<Id, usize> = BTreeMap::new();
    let mut has_begun = false;
    let mut ways = Ways::default();
    loop {
        let first = due.first_key_value().map(|((time, _), _)| *time);
        let meeting =
            next_meeting(world).filter(|meeting| first.is_none_or(|first| *meeting < first));
        let Some(time) = meeting.or(first) else {
            break;
        };
        world.resource_mut::<DramatisClock>().game = time;
        if !std::mem::replace(&mut has_begun, true) {
            call_hook(world, |hook, world| hook.before_turn(world));
            refresh(world);
        }
        if meeting.is_some() {
            meet(world, &held);
            continue;
        }
        let Some(((_, id), npc)) = due.pop_first() else {
            break;
        };
        live_on(world, npc, &held, &mut ways);
        let next = world.get::<Life>(npc).map(|life| life.next);
        let Some(next) = next.filter(|next| *next <= now) else {
            continue;
        };
        let so_often = times.entry(id.clone()).or_default();
        *so_often += 1;
        if *so_often < MOST_AT_ONCE {
            due.insert((next, id), npc);
        } else {
            log::warn!(
                "{id}: game time has moved on too far at once, so a part of its routine is skipped"
            );
            due.insert((now, id), npc);
        }
    }
    world.resource_mut::<DramatisClock>().game = now;
}

/// The characters to which something happens until now, each with the time and its id. What the game has changed since the last look
/// counts from then on.
fn due_now(
    world: &mut World,
    living: &mut QueryState<Living>,
    (last, now): (GameTime, GameTime),
) -> BTreeMap<(GameTime, Id), Entity> {
    let ticks = [
        changed::<WorldFlags>(world),
        changed::<WorldFacts>(world),
        changed::<Groups>(world),
    ];
    let bindings = world.get_resource::<WorldBindings>();
    // A bound fact reads a resource of the game, whose ticks are not watched.
    let is_bound = bindings.is_some_and(WorldBindings::has_facts);
    let mut town = world.get_resource_or_init::<Town>();
    let before = town.conditions.replace(ticks);
    let is_other = is_bound || before != Some(ticks);
    let mut due = BTreeMap::new();
    for (npc, LoadedCharacter(character), life, placed, mind) in living.iter(world) {
        let place = placed.map(|placed| placed.0);
        let is_moved = life.seen.is_some_and(|seen| seen != place);
        let asks = || {
            let mut entries = character.routine.iter();
            entries.any(|entry| entry.when != RuleCondition::Always)
        };
        let mind = mind.map(|mind| mind.last_changed());
        if is_moved || (is_other || mind != life.mind) && asks() {
            due.insert((last, character.id.clone()), npc);
        } else if life.next <= now {
            due.insert((life.next, character.id.clone()), npc);
        }
    }
    due
}

/// When a resource was changed last.
fn changed<R: Resource>(world: &World) -> Tick {
    let resource = world.get_resource_ref::<R>();
    resource.map_or(Tick::new(0), |resource| resource.last_changed())
}

/// The ids of the characters that talk, act or plan now.
fn held(world: &mut World) -> BTreeSet<Id> {
    let mut runs = world.query_filtered::<&Run, With<ActiveRun>>();
    let runs = runs.iter(world).filter(|run| holds(run.stage()));
    runs.map(|run| run.npc().clone()).collect()
}

/// Whether a run of this stage holds its character where it is. What happens in the background holds no character.
fn holds(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::Dialogue | Stage::NpcIntent | Stage::PlanIntent | Stage::Plan
    )
}

/// A run that is over holds its character for a while. One that is busy goes on at once.
pub(crate) fn hold(removed: On<Remove, ActiveRun>, runs: Query<&Run>, mut commands: Commands) {
    let run = runs.get(removed.entity).ok();
    let Some(id) = run
        .filter(|run| holds(run.stage()))
        .map(|run| run.npc().clone())
    else {
        return;
    };
    commands.queue(move |world: &mut World| {
        let clock = world.get_resource::<DramatisClock>();
        let now = clock.map(|clock| clock.game).unwrap_or_default();
        let Some(npc) = WorldIndex::find(world, &id) else {
            return;
        };
        if let Some(mut company) = world.get_mut::<Company>(npc) {
            company.disturb(now);
        }
        let entry = current_entry(world, npc);
        let routine = world
            .get::<LoadedCharacter>(npc)
            .map(|npc| npc.0.routine.clone());
        let entry = entry.and_then(|entry| routine.as_ref()?.get(entry));
        let is_busy = entry.is_some_and(|entry| entry.busy);
        if let Some(mut life) = world.get_mut::<Life>(npc) {
            life.held_until = if is_busy { now } else { now.after(HOLD) };
            life.due = None;
            life.next = now;
        }
    });
}

/// Lets happen to a character what is due at the time of the clock: an entry ends, it sets out, it takes a step.
fn live_on(world: &mut World, npc: Entity, held: &BTreeSet<Id>, ways: &mut Ways) {
    let Some(LoadedCharacter(character)) = world.get::<LoadedCharacter>(npc).cloned() else {
        return;
    };
    let now = world.resource::<DramatisClock>().game;
    let placed = world.get::<PlacedIn>(npc).map(|placed| placed.0);
    let entry = current_entry(world, npc);
    let Some(mut life) = world.get::<Life>(npc).cloned() else {
        return;
    };
    if entry != life.entry {
        if life.was_there {
            remember(world, npc, &character, life.entry, now);
        }
        life = Life {
            entry,
            was_there: false,
            due: None,
            tried: Vec::new(),
            ..life
        };
    } else if life.seen.is_some_and(|seen| seen != placed) {
        // The game has put it elsewhere: it sets out again.
        life.due = None;
    }
    let place = WorldView::new(world).placement(&character.id);
    match (entry.map(|entry| &character.routine[entry]), place) {
        (Some(entry), place) if is_there(entry, place.as_ref()) => {
            life.was_there = true;
            life.due = None;
        }
        (Some(entry), Some(Placement::In(here))) if !held.contains(&character.id) => {
            let walks = world.get::<WalksItself>(npc).copied();
            let a_step = match walks {
                Some(walks) => walks.patience(),
                None => limits_of(world, npc).step.into(),
            };
            let sets_out = now.max(life.held_until);
            let is_new = life.due.is_none();
            let due = *life.due.get_or_insert_with(|| sets_out.after(a_step));
            if let (Some(wanted), true, Some(_)) = (&entry.place, is_new, walks) {
                ask_for_step(world, npc, &character.id, (&here, wanted), ways);
            }
            if let (Some(wanted), true) = (&entry.place, due <= now) {
                match take_step(world, npc, &character.id, (&here, wanted), ways) {
                    Ok(there) if there == *wanted => (life.was_there, life.due) = (true, None),
                    Ok(there) => {
                        life.due = Some(now.after(a_step));
                        if walks.is_some() {
                            ask_for_step(world, npc, &character.id, (&there, wanted), ways);
                        }
                    }
                    Err(blocked) => {
                        life.due = Some(now.after(TRY_AGAIN));
                        note_blocked(world, npc, &character.id, &mut life, blocked);
                    }
                }
            }
        }
        _ => life.due = None,
    }
    let calendar = world.resource::<ActiveStory>().0.calendar;
    let changes = character.routine.iter();
    let changes = changes.map(|entry| entry.next_change(calendar, now));
    let next = changes.chain(life.due).min();
    life.next = next.unwrap_or(GameTime(i64::MAX)).max(now.after(Millis(1)));
    life.seen = Some(world.get::<PlacedIn>(npc).map(|placed| placed.0));
    let mind = world
        .get_entity(npc)
        .ok()
        .and_then(|npc| npc.get_ref::<Mind>());
    life.mind = mind.map(|mind| mind.last_changed());
    if let Some(mut place) = world.get_mut::<Life>(npc) {
        *place = life;
    }
    show_doing(world, npc, &character.id);
}

/// Puts what a character does on its entity, for the game.
fn show_doing(world: &mut World, npc: Entity, id: &Id) {
    let now = doing(world, id);
    if world.get::<Doing>(npc) == now.as_ref() {
        return;
    }
    match now {
        Some(doing) => world.entity_mut(npc).insert(doing),
        None => world.entity_mut(npc).remove::<Doing>(),
    };
}

/// Takes the next step to where the character wants to be, if the rulebook allows it. Returns where the character is then.
fn take_step(
    world: &mut World,
    npc: Entity,
    id: &Id,
    (here, wanted): (&Id, &Id),
    ways: &mut Ways,
) -> Result<Id, Blocked> {
    let at = world.resource::<DramatisClock>().game;
    let Some(to) = ways.first_step(&WorldView::new(world), here, wanted) else {
        let (to, reason) = (wanted.clone(), ReasonCode::NotFound);
        return Err(Blocked { to, reason, at });
    };
    let record = judge_step(world, id, &to);
    let action = record.actions.first();
    let rejected = record.rejected.first().map(|rejected| rejected.result);
    let result = action.map(|action| action.judgement.result).or(rejected);
    match result.unwrap_or(ReasonCode::Unknown) {
        ReasonCode::Ok => {}
        reason => return Err(Blocked { to, reason, at }),
    }
    commit_own_turn(world, &record);
    // What it has changed is written down at its own time.
    call_hook(world, |hook, world| hook.before_turn(world));
    refresh(world);
    arrive(world, npc, id, at);
    if let Some(action) = action {
        world.get_resource_or_init::<Outbox>().queue(AppliedAction {
            actor: Some(npc),
            run: None,
            turn: None,
            intent: action.intent.clone(),
        });
    }
    Ok(WorldView::new(world).place_of(id).unwrap_or(to))
}

/// The game walks this character itself: it is told where to.
fn ask_for_step(
    world: &mut World,
    npc: Entity,
    id: &Id,
    (here, wanted): (&Id, &Id),
    ways: &mut Ways,
) {
    let Some(to) = ways.first_step(&WorldView::new(world), here, wanted) else {
        return;
    };
    world.get_resource_or_init::<Outbox>().tell(StepWanted {
        entity: npc,
        npc: id.clone(),
        to,
    });
}

/// What the rulebook says of a step.
fn judge_step(world: &World, id: &Id, to: &Id) -> TurnRecord {
    let rules = Rules::of_game(world).of_actions();
    let key = TurnKey {
        seed: world.resource::<WorldSeed>().0,
        keys: vec![
            "routine".to_owned(),
            id.to_string(),
            rules.now.0.to_string(),
        ],
    };
    let step = ProposedAction::of(&MoveTo {
        target: to.to_string(),
    });
    let input = TurnInput {
        id: 0,
        kind: TurnKind::Do,
        actor: id.clone(),
        text: None,
        parsed: vec![step],
    };
    take_turn(&rules, key, &WorldView::new(world), input, &mut Vec::new())
}

/// Keeps a denied step, and tells the game, once for each of an entry.
fn note_blocked(world: &mut World, npc: Entity, id: &Id, life: &mut Life, blocked: Blocked) {
    if life.tried.contains(&blocked.to) {
        return;
    }
    life.tried.push(blocked.to.clone());
    world.get_resource_or_init::<Outbox>().tell(RoutineBlocked {
        entity: npc,
        npc: id.clone(),
        to: blocked.to.clone(),
        reason: blocked.reason,
    });
    if life.blocked.len() >= MAX_BLOCKED {
        life.blocked.pop_front();
    }
    life.blocked.push_back(blocked);
}

/// An entry has ended at whose place the character was: it remembers that.
fn remember(
    world: &mut World,
    npc: Entity,
    character: &Character,
    entry: Option<usize>,
    now: GameTime,
) {
    let entry = entry.and_then(|entry| character.routine.get(entry));
    let Some(done) = entry.and_then(|entry| entry.done.as_deref()) else {
        return;
    };
    let view = WorldView::new(world);
    // It may be elsewhere now: the game has moved it at this very time.
    let place = entry.and_then(|entry| entry.place.clone());
    let place = place.or_else(|| view.place_of(&character.id));
    let name = place.as_ref().and_then(|place| view.name_of(place));
    let story: Arc<_> = world.resource::<ActiveStory>().0.clone();
    let words = &story.language_of(character).prompt;
    let text = match &name {
        Some(name) => words.say("lived_at", &[("done", done), ("place", name)]),
        None => words.say("lived", &[("done", done)]),
    };
    let stored = change_mind(world, npc, |mind| {
        mind.lived += 1;
        let episode = Episode {
            significance: SIGNIFICANCE,
            place: place.map(|place| place.to_string()),
            ..Episode::new(lived_id(mind.lived), text, now)
        };
        mind.episodes.store(episode, now)
    });
    call_hook(world, |hook, world| hook.mind_changed(world, npc));
    remembers_more(world, npc, &character.id, now);
    if let Some(Err(error)) = stored {
        log::warn!(
            "{}: an entry of its routine is not remembered: {error}",
            character.id
        );
    }
}
