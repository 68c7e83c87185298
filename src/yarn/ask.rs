//! `<<ask NPC "words">>`: the player says something to a character, and the dialogue waits for the answer.

use super::talk::speaker;
use super::wait::{Asked, Done, WaitsFor, fail, wait_for};
use crate::npc::{NpcCommandsExt, PlayerId, RequestError, RequestQueue, check_speech};
use crate::world::WorldIndex;
use bevy::prelude::*;

pub(super) fn ask(world: &mut World, runner: Entity, words: &[String]) -> Done {
    match try_ask(world, runner, words) {
        Ok(asked) => wait_for(world, runner, WaitsFor::Answer(asked)),
        Err(why) => fail(world, runner, &format!("ask {}", words.join(" ")), why),
    }
}

fn try_ask(world: &mut World, runner: Entity, words: &[String]) -> Result<Asked, String> {
    let Some((npc, said)) = words.split_first() else {
        return Err("it names no character: write <<ask wizard \"the key\">>".to_owned());
    };
    let said = said.join(" ");
    let speaker = speaker(world, runner)?;
    let player = world.get_resource_or_init::<PlayerId>().0.clone();
    let checked = check_speech(world, npc, &speaker.id, &player, &said).map_err(advice)?;
    let Some(entity) = WorldIndex::find(world, &checked.npc) else {
        return Err(advice(RequestError::UnknownNpc(npc.clone())));
    };
    let before = last_request(world, entity);
    world.commands().entity(entity).hear(speaker.entity, said);
    world.flush();
    match last_request(world, entity) {
        Some(request) if Some(request) > before => Ok(Asked {
            npc: entity,
            npc_id: checked.npc,
            request,
            speaker: checked.speaker,
            words: checked.text,
        }),
        _ => Err(
            "the character cannot take one more request: QueuePolicy says how many wait, and the \
             event RequestRefused why this one does not"
                .to_owned(),
        ),
    }
}

/// The number of the newest request that waits for a character.
fn last_request(world: &World, npc: Entity) -> Option<u64> {
    let queue = world.get::<RequestQueue>(npc)?;
    queue.waiting.back().map(|(number, _)| *number)
}

/// What is wrong with the words, and what to do.
fn advice(error: RequestError) -> String {
    match error {
        RequestError::UnknownNpc(_) => format!(
            "{error}. Write the id of its file, not its name; its file is loaded when DramatisReady comes"
        ),
        error => error.to_string(),
    }
}
