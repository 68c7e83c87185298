//! The commit: everything of a turn is installed together, or nothing (contract row T7).

use super::lore::Lorebook;
use super::markers::PendingMarkers;
use super::mentioned::Mentioned;
use super::played::{PlayedTurn, PlayedTurns};
use super::record::TurnFailure;
use super::review::WaitingCalls;
use super::stream::Stream;
use super::turn::AdventureTurn;
use super::write_states::{read_states, write_states};
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::commit::{Committed, commit as install};
use crate::events::ToolCalled;
use crate::gate::Approved;
use crate::gate::actions::{ActionsOfTurn, approve_actions};
use crate::npc::{LoadedCharacter, change_mind};
use crate::outbox::{AppliedAction, Outbox, Outgoing};
use crate::story::action_rules;
use crate::world::{JudgedChange, WorldIndex, WorldView};
use bevy::prelude::*;

/// Judges what a turn does once more on the world as it is now, and installs all of it.
pub(super) fn commit(
    world: &mut World,
    _host: Entity,
    turn: &mut AdventureTurn,
) -> std::result::Result<(), TurnFailure> {
    let approved = judge_again(world, turn)?;
    let committed = install(world, approved, turn).ok_or_else(|| TurnFailure {
        stage: None,
        error: "ForeignApproval: what was judged belongs to another turn".to_owned(),
    })?;
    let Committed {
        changes,
        before: parts,
    } = committed;
    // The numbers of what is introduced may have moved.
    turn.staged.changes = changes;
    let staged = &mut turn.staged;
    let mentioned = std::mem::take(&mut staged.mentioned);
    let mentioned = mentioned.into_iter().filter(|(_, ids)| !ids.is_empty());
    world
        .get_resource_or_init::<Mentioned>()
        .0
        .extend(mentioned);
    let mut states = Vec::new();
    for (id, after) in std::mem::take(&mut staged.states) {
        let before = read_states(world, &id);
        write_states(world, &id, after);
        states.push((id.clone(), before, read_states(world, &id)));
    }
    for npc in &staged.acted {
        let entity =
            entity_of(world, npc).filter(|npc| world.get::<LoadedCharacter>(*npc).is_some());
        if let Some(entity) = entity {
            change_mind(world, entity, |mind| mind.interactions += 1);
        }
    }
    let mut lore = Vec::new();
    let mut book = world.get_resource_or_init::<Lorebook>();
    for write in std::mem::take(&mut staged.lore) {
        let (key, before) = (write.key.clone(), book.get(&write.key).cloned());
        book.write(write);
        lore.push((key.clone(), before, book.get(&key).cloned()));
    }
    let mut waiting = world.get_resource_or_init::<WaitingCalls>();
    for call in std::mem::take(&mut staged.waiting_calls) {
        waiting.push(call);
    }
    let called = std::mem::take(&mut staged.custom_calls).into_iter();
    let called = called.map(|call| {
        Outgoing::ToolCalled(ToolCalled {
            turn_id: turn.turn_id,
            npc: call.npc,
            tool: call.tool,
            fields: call.fields,
        })
    });
    let called: Vec<Outgoing> = called.collect();
    world.get_resource_or_init::<Outbox>().extend(called);
    let messages = staged.messages.clone();
    world
        .get_resource_or_init::<Stream>()
        .commit(turn.turn_id, messages);
    let markers = std::mem::take(&mut world.get_resource_or_init::<PendingMarkers>().0);
    let played = PlayedTurn {
        turn_id: turn.turn_id,
        root: turn.redo.map_or(turn.turn_id, |(root, _)| root),
        asked: turn.asked(),
        runs: turn.staged.runs.clone(),
        world: parts.changed(&WorldView::new(world)),
        states,
        lore,
        acted: turn.staged.acted.clone(),
        markers,
        live: true,
    };
    world.get_resource_or_init::<PlayedTurns>().push(played);
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
) -> std::result::Result<Approved<Vec<JudgedChange>>, TurnFailure> {
    let judged = turn.staged.judged.iter();
    let actions = judged.map(|(key, intents)| ActionsOfTurn {
        key,
        spawned: 0,
        intents,
    });
    let approved = approve_actions(turn, action_rules(world), &WorldView::new(world), actions);
    approved.map_err(|denied| TurnFailure {
        stage: None,
        error: format!(
            "ActionRejected: the world has changed meanwhile: {} {}: {} {}",
            denied.intent.actor(),
            denied.intent.kind(),
            denied.judgement.result,
            denied.judgement.message
        ),
    })
}

fn entity_of(world: &World, id: &Id) -> Option<Entity> {
    world.get_resource::<WorldIndex>()?.get(id)
}
