//! The commit: everything of a turn is installed together, or nothing (contract row T7).

use super::lore::Lorebook;
use super::markers::PendingMarkers;
use super::record::TurnFailure;
use super::states::{Personas, StateEntry};
use super::stream::Stream;
use super::turn::AdventureTurn;
use crate::actor_turns::RecentMentions;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::npc::{LoadedCharacter, change_mind, learn_names};
use crate::outbox::{AppliedAction, Outbox, Outgoing};
use crate::story::action_rules;
use crate::world::turn::Turn;
use crate::world::writer::install;
use crate::world::{JudgedChange, Overlay, WorldIndex, WorldView};
use bevy::prelude::*;

/// Judges what a turn does once more on the world as it is now, and installs all of it.
pub(super) fn commit(
    world: &mut World,
    _host: Entity,
    turn: &mut AdventureTurn,
) -> std::result::Result<(), TurnFailure> {
    let changes = judge_again(world, turn)?;
    let staged = &mut turn.staged;
    install(world, &changes);
    learn_names(world, &changes);
    for (actor, mentioned) in std::mem::take(&mut staged.mentioned) {
        if let Some(entity) = entity_of(world, &actor) {
            world.entity_mut(entity).insert(RecentMentions(mentioned));
        }
    }
    for (id, states) in std::mem::take(&mut staged.states) {
        write_states(world, &id, states);
    }
    for npc in &staged.acted {
        let entity =
            entity_of(world, npc).filter(|npc| world.get::<LoadedCharacter>(*npc).is_some());
        if let Some(entity) = entity {
            change_mind(world, entity, |mind| mind.interactions += 1);
        }
    }
    let lore = std::mem::take(&mut staged.lore);
    if !lore.is_empty() {
        let mut book = world.get_resource_or_init::<Lorebook>();
        lore.into_iter().for_each(|write| book.write(write));
    }
    let messages = staged.messages.clone();
    world
        .get_resource_or_init::<Stream>()
        .commit(turn.turn_id, messages);
    world.get_resource_or_init::<PendingMarkers>().0.clear();
    let done: Vec<_> = turn
        .staged
        .judged
        .iter()
        .flat_map(|(_, done)| done)
        .cloned()
        .collect();
    let mut counters = world.get_resource_or_init::<DramatisCounters>();
    counters.intents_approved += done.len() as u64;
    let applied: Vec<Outgoing> = done
        .into_iter()
        .map(|intent| {
            Outgoing::Applied(AppliedAction {
                actor: entity_of(world, intent.actor()),
                run: None,
                turn: None,
                intent,
            })
        })
        .collect();
    world.get_resource_or_init::<Outbox>().extend(applied);
    Ok(())
}

/// What the actions of a turn change in the world as it is now.
fn judge_again(
    world: &World,
    turn: &AdventureTurn,
) -> std::result::Result<Vec<JudgedChange>, TurnFailure> {
    let view = WorldView::new(world);
    let rules = action_rules(world);
    let mut changes: Vec<JudgedChange> = Vec::new();
    for (key, intents) in &turn.staged.judged {
        let overlay = Overlay::after(&view, &changes);
        let mut again = Turn::new(rules, key.clone(), &overlay, Vec::new());
        for intent in intents {
            let judgement = again.apply(intent);
            if !judgement.is_ok() {
                return Err(TurnFailure {
                    stage: None,
                    error: format!(
                        "ActionRejected: the world has changed meanwhile: {} {}: {} {}",
                        intent.actor(),
                        intent.kind(),
                        judgement.result,
                        judgement.message
                    ),
                });
            }
        }
        changes.extend(again.into_changes());
    }
    Ok(changes)
}

fn entity_of(world: &World, id: &Id) -> Option<Entity> {
    world.get_resource::<WorldIndex>()?.get(id)
}

fn write_states(world: &mut World, id: &Id, states: Vec<StateEntry>) {
    let entity = entity_of(world, id).filter(|npc| world.get::<LoadedCharacter>(*npc).is_some());
    let is_persona = world.get_resource_or_init::<Personas>().0.contains_key(id);
    match entity.filter(|_| !is_persona) {
        Some(entity) => {
            let states = states
                .into_iter()
                .map(|state| (state.label, state.category, state.level));
            let states = states.collect();
            change_mind(world, entity, |mind| mind.states = states);
        }
        None => {
            let mut personas = world.get_resource_or_init::<Personas>();
            personas.0.entry(id.clone()).or_default().states = states;
        }
    }
}
