//! Taking back turns, playing one again, and picking among what was played.

use super::markers::PendingMarkers;
use super::played::{PlayedAct, PlayedTurns};
use super::recap::Recaps;
use super::review::WaitingCalls;
use super::states::StateEntry;
use super::stream::Stream;
use super::submit::{begin_turn, interrupt};
use super::write_states::{read_states, write_states};
use crate::base::ids::Id;
use crate::memory::take_back::take_back_map;
use crate::npc::{LoadedCharacter, change_mind};
use crate::pipeline::run::retraction::{
    RetractError, Retracted, Retraction, Retractions, last_line, retract_line,
};
use crate::story::lore::Lorebook;
use crate::world::writer::write_parts;
use crate::world::{WorldIndex, WorldView};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// Takes back the last turn. Stream, states, lore, minds, and what its actions changed are then as before, except for what
/// has been changed again since. Nothing is deleted: what the turn left is marked, and its number is never used again. A turn that is
/// still being played is interrupted.
///
/// # Errors
/// [`RetractError::Nothing`] when there is no turn that could be taken back.
pub fn retract_turn(world: &mut World) -> std::result::Result<Retraction, RetractError> {
    let turns = world.get_resource_or_init::<PlayedTurns>();
    let last = turns.last_live().ok_or(RetractError::Nothing)?;
    interrupt(world);
    Ok(take_back(world, last))
}

/// Plays the last turn again, from the state before it, with the same input and another sampling seed. What was played before
/// stays on record, and can be picked. A turn that was taken back can be played again too, if no later turn counts: a redo that
/// failed can be tried again. It begins from the state as it is now. A turn that is still being played is interrupted.
///
/// # Errors
/// [`RetractError::NotThatTurn`] when it is not the last turn.
pub fn redo_turn(world: &mut World, turn_id: u64) -> std::result::Result<(), RetractError> {
    let turns = world.get_resource_or_init::<PlayedTurns>();
    let (versions, live) = last_turn(&turns, turn_id)?;
    let of = &turns.0[live.unwrap_or(versions[versions.len() - 1])];
    let (asked, root) = (of.asked.clone(), of.root);
    interrupt(world);
    if let Some(live) = live {
        take_back(world, live);
    }
    begin_turn(world, asked, Some((root, versions.len())));
    Ok(())
}

/// The places of all versions of the last turn, at least one, and which of them counts; `None`: all were taken back.
fn last_turn(
    turns: &PlayedTurns,
    turn_id: u64,
) -> std::result::Result<(Vec<usize>, Option<usize>), RetractError> {
    let versions = turns.versions(turn_id);
    let live = turns.last_live();
    let is_last = match (live, versions.first()) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(live), Some(first)) => live < *first || versions.contains(&live),
    };
    if !is_last {
        return Err(RetractError::NotThatTurn(format!(
            "{turn_id} is not the last turn"
        )));
    }
    let live = live.filter(|live| versions.contains(live));
    Ok((versions, live))
}

/// Makes version `n` of the last turn the one that counts, exactly as it was played, without a model. Versions count from 0. A turn
/// that is still being played is interrupted.
///
/// # Errors
/// [`RetractError::NotThatTurn`] when it is not the last turn, or there is no such version.
pub fn pick_turn(
    world: &mut World,
    turn_id: u64,
    n: usize,
) -> std::result::Result<(), RetractError> {
    let turns = world.get_resource_or_init::<PlayedTurns>();
    let (versions, live) = last_turn(&turns, turn_id)?;
    let Some(wanted) = versions.get(n).copied() else {
        return Err(RetractError::NotThatTurn(format!(
            "turn {turn_id} has no version {n}"
        )));
    };
    let is_there = live == Some(wanted) && turns.0[wanted].is_whole();
    interrupt(world);
    if is_there {
        return Ok(());
    }
    if let Some(live) = live {
        take_back(world, live);
    }
    do_again(world, wanted);
    Ok(())
}

/// What was played so far can be neither taken back nor picked any more.
pub(super) fn forget_played(world: &mut World) {
    world.get_resource_or_init::<PlayedTurns>().0.clear();
}

/// Takes back what the last character did in the last turn, or what `npc` did, where that one was the last. The rest of the turn
/// counts on. A turn that is still being played is interrupted.
///
/// # Errors
/// [`RetractError::Nothing`] when no character has acted in the last turn, or another one acted last.
pub fn retract_last_npc(
    world: &mut World,
    npc: Option<&Id>,
) -> std::result::Result<Retraction, RetractError> {
    let turns = world.get_resource_or_init::<PlayedTurns>();
    let act = turns
        .last_act()
        .filter(|(_, act)| npc.is_none_or(|npc| act.actor == *npc));
    let (at, act) = act.ok_or(RetractError::Nothing)?;
    let act = act.clone();
    let turn_id = turns.0[at].turn_id;
    interrupt(world);
    let mut kept = change(world, &act, false);
    kept.sort();
    kept.dedup();
    world.resource_mut::<PlayedTurns>().0[at].live_acts -= 1;
    world
        .get_resource_or_init::<Stream>()
        .shorten(turn_id, act.first_seq);
    world.get_resource_or_init::<Recaps>().retract(turn_id);
    world
        .get_resource_or_init::<WaitingCalls>()
        .retract(turn_id, act.first_seq);
    let what = Retracted::Act {
        npc: act.actor,
        turn: turn_id,
    };
    Ok(note(world, what, act.runs, kept))
}

/// Takes back what a character said or did last: its last line, or its act in the last turn of the adventure, whichever came
/// later.
///
/// # Errors
/// [`RetractError`] when there is no such character, or nothing to take back.
pub fn retract_last(world: &mut World, npc: &str) -> std::result::Result<Retraction, RetractError> {
    let line = WorldIndex::find(world, npc).and_then(|entity| last_line(world, entity));
    let turns = world.get_resource_or_init::<PlayedTurns>();
    let act = turns.last_act().filter(|(_, act)| *act.actor == *npc);
    let later = act.filter(|(_, act)| act.runs.iter().max().copied() > line);
    match later.map(|(_, act)| act.actor.clone()) {
        Some(actor) => retract_last_npc(world, Some(&actor)),
        None => retract_line(world, npc),
    }
}

fn note(world: &mut World, what: Retracted, mut runs: Vec<u64>, kept: Vec<String>) -> Retraction {
    runs.sort_unstable();
    let retraction = Retraction { what, runs, kept };
    world
        .get_resource_or_init::<Retractions>()
        .push(retraction.clone());
    retraction
}

fn take_back(world: &mut World, at: usize) -> Retraction {
    let turn = world.resource::<PlayedTurns>().0[at].clone();
    let mut kept = Vec::new();
    for act in turn.acts.iter().take(turn.live_acts).rev() {
        kept.extend(change(world, act, false));
    }
    kept.sort();
    kept.dedup();
    world.resource_mut::<PlayedTurns>().0[at].live = false;
    world.get_resource_or_init::<Stream>().retract(turn.turn_id);
    world.get_resource_or_init::<Recaps>().retract(turn.turn_id);
    world
        .get_resource_or_init::<WaitingCalls>()
        .retract(turn.turn_id, 0);
    let mut pending = world.get_resource_or_init::<PendingMarkers>();
    pending.0.splice(0..0, turn.markers.iter().cloned());
    let runs = turn.acts.into_iter().flat_map(|act| act.runs).collect();
    note(world, Retracted::Turn(turn.turn_id), runs, kept)
}

fn do_again(world: &mut World, at: usize) {
    let turn = world.resource::<PlayedTurns>().0[at].clone();
    for act in &turn.acts {
        change(world, act, true);
    }
    let mut turns = world.resource_mut::<PlayedTurns>();
    turns.0[at].live = true;
    turns.0[at].live_acts = turn.acts.len();
    world.get_resource_or_init::<Stream>().restore(turn.turn_id);
    let mut pending = world.get_resource_or_init::<PendingMarkers>();
    let taken = turn.markers.len().min(pending.0.len());
    pending.0.drain(..taken);
}

/// Does what an act changed, or takes it back; the ids of what could not be changed.
fn change(world: &mut World, act: &PlayedAct, forward: bool) -> Vec<String> {
    let parts = match forward {
        true => act.world.reversed(),
        false => act.world.clone(),
    };
    let (parts, mut kept) = parts.take_back(&WorldView::new(world));
    write_parts(world, &parts);
    for (id, before, after) in &act.states {
        let keyed = |states: &[StateEntry]| -> BTreeMap<(String, String), StateEntry> {
            let states = states.iter().cloned();
            states
                .map(|state| ((state.category.clone(), state.label.clone()), state))
                .collect()
        };
        let (from, to) = match forward {
            true => (before, after),
            false => (after, before),
        };
        let mut now = keyed(&read_states(world, id));
        take_back_map(&mut now, &keyed(to), &keyed(from), |(_, label)| {
            kept.push(label.clone())
        });
        // In the order in which they came.
        let order = |state: &StateEntry| {
            to.iter()
                .chain(from)
                .position(|one| one.label == state.label)
        };
        let mut states: Vec<StateEntry> = now.into_values().collect();
        states.sort_by_key(|state| order(state).unwrap_or(usize::MAX));
        write_states(world, id, states);
    }
    let mut book = world.get_resource_or_init::<Lorebook>();
    // From the last one back: an act may write an entry twice.
    let mut lore: Vec<_> = act.lore.iter().collect();
    if !forward {
        lore.reverse();
    }
    for (key, before, after) in lore {
        let (from, to) = match forward {
            true => (before, after),
            false => (after, before),
        };
        match book.get(key) == from.as_ref() {
            true => book.put(key, to.clone()),
            false => kept.push(key.clone()),
        }
    }
    let entity = WorldIndex::find(world, &act.actor);
    if let Some(entity) = entity.filter(|npc| world.get::<LoadedCharacter>(*npc).is_some()) {
        change_mind(world, entity, |mind| {
            mind.interactions = match forward {
                true => mind.interactions + 1,
                false => mind.interactions.saturating_sub(1),
            };
        });
    }
    kept
}
