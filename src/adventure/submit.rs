//! How a turn is asked for.

use super::hook::call_hook;
use super::orchestrator::end_turn;
use super::out_of_character::in_character;
use super::player_turn::PlayerTurn;
use super::record::TurnFailure;
use super::scene::Cast;
use super::states::Personas;
use super::stream::Stream;
use super::turn::{AdventureTurn, Position, Staged};
use crate::authoring::adventure_settings::AdventureSettings;
use crate::base::ids::Id;
use crate::npc::submit::CancelRun;
use crate::npc::{LoadedCharacter, MAX_INPUT_CHARS, PlayerId, RequestError, refuse};
use crate::pipeline::{ActiveRun, StageHost, StageTask};
use crate::text::without_controls;
use crate::world::WorldIndex;
use bevy::prelude::*;
use std::collections::VecDeque;

/// Begins a turn. A turn that is still being played is interrupted: nothing of it is committed, and its record says so. Words in
/// doubled parentheses are left out.
///
/// If something is wrong, [`RequestRefused`](crate::events::RequestRefused) reports it under the persona's id: no player can
/// play the persona, the intention is empty or too long, or a listener is not there. Then no turn begins, and no turn is
/// interrupted.
pub fn submit_turn(world: &mut World, turn: PlayerTurn) {
    let turn = match check(world, turn) {
        Ok(turn) => turn,
        Err((persona, error)) => return refuse(world, None, &persona, error),
    };
    interrupt(world);
    begin_turn(world, turn, None);
}

/// Begins a turn that was checked. `redo`: which turn it is a version of, and how many were played before.
pub(crate) fn begin_turn(world: &mut World, turn: PlayerTurn, redo: Option<(u64, usize)>) {
    let turn_id = world.get_resource_or_init::<Stream>().turns() + 1;
    world
        .get_resource_or_init::<Personas>()
        .0
        .entry(turn.persona.clone())
        .or_default();
    let turn = world.spawn((
        StageHost,
        AdventureTurn {
            turn_id,
            persona: turn.persona,
            text: turn.intention,
            thought: turn.thought,
            whisper_to: turn.whisper_to,
            redo,
            position: Position::Begin,
            waiting: Vec::new(),
            order: VecDeque::new(),
            staged: Staged::default(),
        },
    ));
    let turn = turn.id();
    call_hook(world, |hook, world| hook.turn_begun(world, turn));
}

/// Ends the turn that is being played, if one is: what has not been committed has not happened. Returns whether one was.
pub fn interrupt(world: &mut World) -> bool {
    let mut playing = world.query_filtered::<Entity, With<AdventureTurn>>();
    let playing: Vec<Entity> = playing.iter(world).collect();
    let was_played = !playing.is_empty();
    for entity in playing {
        if let Some(turn) = world.entity_mut(entity).take::<AdventureTurn>() {
            let failure = TurnFailure {
                stage: None,
                error: "Interrupted: the player goes on".to_owned(),
            };
            end_turn(world, entity, turn, Some(failure));
        }
    }
    was_played
}

/// Ends the runs of stages of this character or persona: their turn fails.
pub(crate) fn cancel_stages(world: &mut World, npc: &str) {
    let mut runs = world.query_filtered::<(Entity, &StageTask), With<ActiveRun>>();
    let own = runs
        .iter(world)
        .filter(|(_, task)| task.npc.as_deref() == Some(npc));
    let own: Vec<Entity> = own.map(|(run, _)| run).collect();
    for run in own {
        world.entity_mut(run).insert(CancelRun);
    }
}

/// How many stages of the turn that is being played have been asked; `None` when no turn is played.
pub(crate) fn stages_asked(world: &mut World) -> Option<usize> {
    let mut turns = world.query::<&AdventureTurn>();
    turns.iter(world).next().map(|turn| turn.staged.runs.len())
}

/// Whether a turn can go on without waiting for a reply.
pub(crate) fn is_advancing(world: &mut World) -> bool {
    let mut turns = world.query::<&AdventureTurn>();
    turns.iter(world).any(|turn| turn.waiting.is_empty())
}

fn check(
    world: &mut World,
    turn: PlayerTurn,
) -> std::result::Result<PlayerTurn, (Id, RequestError)> {
    let persona = turn.persona.clone();
    let refused = |error| (persona.clone(), error);
    are_there(world).map_err(refused)?;
    if !is_played(world, &persona) {
        return Err(refused(RequestError::UnknownPersona(persona.to_string())));
    }
    let clean = |text: Option<String>| match text {
        None => Ok(None),
        Some(text) => match text.chars().count() {
            chars if chars > MAX_INPUT_CHARS => Err(RequestError::TooLong { chars }),
            _ => Ok(Some(
                in_character(&without_controls(&text)).trim().to_owned(),
            )),
        },
    };
    let intention = clean(turn.intention).map_err(refused)?;
    let refused = |error| (persona.clone(), error);
    let thought = clean(turn.thought).map_err(refused)?;
    if intention.as_ref().is_some_and(String::is_empty) {
        return Err((persona, RequestError::EmptyIntention));
    }
    if !turn.whisper_to.is_empty() {
        let cast = Cast::of(world, &persona, &[]);
        let here = cast.at(cast.place(&persona));
        if let Some(absent) = turn.whisper_to.iter().find(|id| !here.contains(id)) {
            return Err((persona, RequestError::NotPresent(absent.to_string())));
        }
    }
    Ok(PlayerTurn {
        persona,
        intention,
        thought: thought.filter(|thought| !thought.is_empty()),
        whisper_to: turn.whisper_to,
    })
}

/// Whether the game has adventures.
pub(super) fn are_there(world: &World) -> std::result::Result<(), RequestError> {
    match world.contains_resource::<AdventureSettings>() {
        true => Ok(()),
        false => Err(RequestError::LeftOut("AdventurePlugin")),
    }
}

/// Whether a player can play this actor: a persona, the player, or an actor in the world that is not a character of the
/// model.
fn is_played(world: &mut World, id: &Id) -> bool {
    let known = world.get_resource_or_init::<Personas>().0.contains_key(id);
    let player = world
        .get_resource::<PlayerId>()
        .is_some_and(|player| player.0 == *id);
    let entity = WorldIndex::find(world, id);
    let in_world = entity.is_some_and(|entity| world.get::<LoadedCharacter>(entity).is_none());
    known || player || in_world
}
