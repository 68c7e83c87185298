//! The commit: everything of a turn is installed together, or nothing.
//!
//! What the turn changes is still approvals here: the actions are judged once more on the world as it is now, and what extractors
//! write is spent by the runs that answered with it. Nothing is installed before all of it could be spent.

use super::drift::Drift;
use super::markers::PendingMarkers;
use super::mentioned::Mentioned;
use super::played::{PlayedAct, PlayedTurn, PlayedTurns};
use super::record::TurnFailure;
use super::review::{WaitingCall, WaitingCalls, set};
use super::scene::Cast;
use super::states::{LevelChange, PERSISTENT_SLOTS, StateEntry};
use super::stream::Stream;
use super::turn::{AdventureTurn, StagedCall};
use super::write_states::{read_states, write_states};
use crate::authoring::adventure_settings::AdventureSettings;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::commit::applied::AppliedAction;
use crate::commit::commit as install;
use crate::events::ToolCalled;
use crate::gate::Approved;
use crate::gate::actions::{ActionsOfTurn, approve_actions};
use crate::judged_world::change::take_back::ChangedParts;
use crate::npc::{LoadedCharacter, change_mind};
use crate::outbox::Outbox;
use crate::proposal::ToolCall;
use crate::story::action_rules;
use crate::story::lore::{LoreEntry, LoreWrite, Lorebook};
use crate::world::{JudgedChange, Overlay, WorldIndex, WorldView};
use bevy::prelude::*;

/// A call of an extractor that was spent.
struct SpentCall {
    act: usize,
    npc: Option<Id>,
    call: ToolCall,
    audience: Vec<Id>,
    waits: bool,
}

/// Judges what a turn does once more on the world as it is now, and installs all of it.
pub(super) fn commit(
    world: &mut World,
    turn: &mut AdventureTurn,
) -> std::result::Result<(), TurnFailure> {
    let approved = judge_again(world, turn)?;
    let calls = spend_calls(std::mem::take(&mut turn.staged.calls))?;
    let worlds = install_changes(world, turn, approved)?;
    let mut mentioned = std::mem::take(&mut turn.staged.mentioned);
    mentioned.retain(|_, ids| !ids.is_empty());
    world
        .get_resource_or_init::<Mentioned>()
        .0
        .extend(mentioned);
    let mut acts: Vec<PlayedAct> = turn
        .staged
        .acted
        .iter()
        .zip(worlds)
        .enumerate()
        .map(|(number, (act, world))| {
            let runs = turn.staged.runs.iter();
            let own = runs.filter(|(_, act)| *act == number);
            PlayedAct {
                actor: act.actor.clone(),
                first_seq: act.first_seq,
                runs: own.map(|(run, _)| *run).collect(),
                world,
                states: Vec::new(),
                lore: Vec::new(),
            }
        })
        .collect();
    for act in &acts {
        let entity = WorldIndex::find(world, &act.actor);
        let entity = entity.filter(|npc| world.get::<LoadedCharacter>(*npc).is_some());
        if let Some(entity) = entity {
            change_mind(world, entity, |mind| mind.interactions += 1);
        }
    }
    for call in calls {
        write_call(world, turn.turn_id, &mut acts, call);
    }
    drift(world, turn, &mut acts);
    let messages = turn.staged.messages.clone();
    world
        .get_resource_or_init::<Stream>()
        .commit(turn.turn_id, messages);
    // One that was set while the turn was played belongs to the next one.
    let mut pending = world.get_resource_or_init::<PendingMarkers>();
    let taken = turn.staged.markers.min(pending.0.len());
    let markers = pending.0.drain(..taken).collect();
    let played = PlayedTurn {
        turn_id: turn.turn_id,
        root: turn.redo.map_or(turn.turn_id, |(root, _)| root),
        asked: turn.asked(),
        live_acts: acts.len(),
        acts,
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
    for intent in done {
        let actor = WorldIndex::find(world, intent.actor());
        world.get_resource_or_init::<Outbox>().queue(AppliedAction {
            actor,
            run: None,
            turn: None,
            intent,
        });
    }
    Ok(())
}

/// What the acts of a turn change in the world as it is now, act by act, approved for the turn.
fn judge_again(
    world: &World,
    turn: &AdventureTurn,
) -> std::result::Result<Vec<Approved<Vec<JudgedChange>>>, TurnFailure> {
    let view = WorldView::new(world);
    let rules = action_rules(world);
    let mut before: Vec<JudgedChange> = Vec::new();
    let mut approved = Vec::new();
    for (key, intents) in &turn.staged.judged {
        let actions = ActionsOfTurn {
            key,
            spawned: 0,
            intents,
        };
        let now = Overlay::after(&view, &before);
        let act = approve_actions(turn, rules, &now, [actions]).map_err(|denied| TurnFailure {
            stage: None,
            error: format!(
                "ActionRejected: the world has changed meanwhile: {} {}: {} {}",
                denied.intent.actor(),
                denied.intent.kind(),
                denied.judgement.result,
                denied.judgement.message
            ),
        })?;
        before.extend(act.get().iter().cloned());
        approved.push(act);
    }
    // The numbers of what is introduced may have moved.
    Ok(approved)
}

fn foreign() -> TurnFailure {
    TurnFailure {
        stage: None,
        error: "ForeignApproval: what was judged belongs to another turn".to_owned(),
    }
}

/// Takes the calls out of their approvals: each by the run that answered with it.
fn spend_calls(calls: Vec<StagedCall>) -> std::result::Result<Vec<SpentCall>, TurnFailure> {
    let spend = |staged: StagedCall| {
        let call = staged.call.spend(&staged.run).ok_or_else(foreign)?;
        Ok(SpentCall {
            act: staged.act,
            npc: staged.npc,
            call,
            audience: staged.audience,
            waits: staged.waits,
        })
    };
    calls.into_iter().map(spend).collect()
}

/// Installs what the acts change, one after the other; how each part of the world was before and after each act.
fn install_changes(
    world: &mut World,
    turn: &mut AdventureTurn,
    approved: Vec<Approved<Vec<JudgedChange>>>,
) -> std::result::Result<Vec<ChangedParts>, TurnFailure> {
    let (mut changes, mut parts) = (Vec::new(), Vec::new());
    for act in approved {
        let committed = install(world, act, turn).ok_or_else(foreign)?;
        parts.push(committed.before.changed(&WorldView::new(world)));
        changes.extend(committed.changes);
    }
    turn.staged.changes = changes;
    Ok(parts)
}

/// Does what a call writes, and notes it with the act that it was read from.
fn write_call(world: &mut World, turn_id: u64, acts: &mut [PlayedAct], spent: SpentCall) {
    let SpentCall {
        act,
        npc,
        call,
        audience,
        waits,
    } = spent;
    let Some(act) = acts.get_mut(act) else {
        log::error!("a call of turn {turn_id} belongs to none of its acts");
        return;
    };
    if waits {
        let waiting = WaitingCall {
            turn_id,
            seq: act.first_seq,
            npc,
            call,
            audience,
        };
        return world.get_resource_or_init::<WaitingCalls>().push(waiting);
    }
    match call {
        ToolCall::StateSet {
            category,
            label,
            level,
            ..
        } => write_state(world, act, npc, &category, &label, LevelChange::Set(level)),
        ToolCall::StateAdjust {
            category,
            label,
            by,
            ..
        } => write_state(world, act, npc, &category, &label, LevelChange::By(by)),
        ToolCall::Custom { name, fields, .. } => {
            let called = ToolCalled {
                turn_id,
                npc,
                tool: name,
                fields,
            };
            world.get_resource_or_init::<Outbox>().tell_all(called);
        }
        ToolCall::LoreUpsert {
            key,
            text,
            title,
            keywords,
            ..
        } => {
            let mut book = world.get_resource_or_init::<Lorebook>();
            let before: Option<LoreEntry> = book.get(&key).cloned();
            book.write(LoreWrite {
                key: key.clone(),
                text,
                title,
                keywords,
                audience,
            });
            act.lore
                .push((key.clone(), before, book.get(&key).cloned()));
        }
    }
}

fn write_state(
    world: &mut World,
    act: &mut PlayedAct,
    npc: Option<Id>,
    category: &str,
    label: &str,
    change: LevelChange,
) {
    let Some(npc) = npc else { return };
    let before = read_states(world, &npc);
    // The gate found room for it; the game may have taken that since.
    if let Err(error) = set(world, Some(npc.clone()), category, label, change) {
        log::warn!("the state \"{label}\" of {npc} is not written: {error}");
        return;
    }
    note_states(world, act, npc, before);
}

/// Notes what was written of the states of an actor. `before`: as they were.
fn note_states(world: &World, act: &mut PlayedAct, id: Id, before: Vec<StateEntry>) {
    let after = read_states(world, &id);
    match act.states.iter_mut().find(|(known, ..)| *known == id) {
        Some((_, _, last)) => *last = after,
        None => act.states.push((id, before, after)),
    }
}

/// Lets the states of all characters and of the persona drift, as part of the last act of the turn.
fn drift(world: &mut World, turn: &AdventureTurn, acts: &mut [PlayedAct]) {
    let drift = world.get_resource_or_init::<AdventureSettings>().drift;
    let Some(act) = acts.last_mut().filter(|_| drift != Drift::default()) else {
        return;
    };
    let cast = Cast::of(world, &turn.persona, &[]);
    let characters = cast.characters.iter().map(|one| &one.character.id);
    for id in characters.chain([&turn.persona]) {
        let before = read_states(world, id);
        let after = drift.after_turn(&before, PERSISTENT_SLOTS);
        if after != before {
            write_states(world, id, after);
            note_states(world, act, id.clone(), before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::CallTime;
    use crate::engine::Stage;
    use crate::gate::{CanonJudge, CustomChecks, KnownWrites, StageRules, judge_calls};
    use crate::id;
    use crate::pipeline::{Run, RunPolicy};
    use crate::proposal::ReadCall;
    use crate::rules::{Interaction, TriggerReason};
    use crate::text::Lexicon;
    use crate::world::WorldState;

    fn run(number: u64) -> Run {
        let npc = id!("odo");
        let of = (Entity::PLACEHOLDER, &npc);
        Run::new(
            number,
            of,
            Stage::CharacterExtractor,
            RunPolicy::STAGE,
            CallTime::default(),
        )
    }

    /// A call that the gate has approved for the run with this number.
    fn approved(number: u64) -> Approved<ToolCall> {
        let call = ToolCall::StateSet {
            target: None,
            category: "core".to_owned(),
            label: "bold".to_owned(),
            level: 3,
            confidence: None,
        };
        let read = ReadCall {
            tool: "state_set".to_owned(),
            call: Ok(call),
        };
        let npc = id!("odo");
        let rules = StageRules {
            run: number,
            interaction: Interaction {
                reason: TriggerReason::NpcInteraction,
                npc: &npc,
                trigger_id: None,
                scene: None,
                tags: &[],
                interaction_count: 0,
            },
            constraints: &[],
            canon: &CanonJudge::compile(Vec::new(), Lexicon::english()).unwrap(),
            topics: &[],
            custom: &[],
            checks: &CustomChecks::default(),
            world: &WorldState::default(),
            lexicon: Lexicon::english(),
        };
        let read = Ok((vec![read], Vec::new()));
        let (_, calls) = judge_calls(&rules, Some(&npc), &KnownWrites::default(), &read);
        calls.unwrap().each().remove(0)
    }

    fn spent(of: u64, by: u64) -> bool {
        spend_calls(vec![StagedCall {
            act: 0,
            run: run(by),
            npc: Some(id!("odo")),
            call: approved(of),
            audience: Vec::new(),
            waits: false,
        }])
        .is_ok()
    }

    #[test]
    fn g9_a_call_of_an_extractor_is_spent_by_the_run_that_answered_with_it_alone() {
        assert!(spent(4, 4));
        assert!(!spent(4, 5));
    }
}
