//! How a request gets into the queue of a character, or is refused.

use super::components::{LoadedCharacter, Npc, Thinking};
use super::queue::{OnNewRequest, QueuePolicy, ReadyNpcs, RequestNumbers, RequestQueue, WhenFull};
use super::request::{Request, RequestError};
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::events::RequestRefused;
use crate::judged_world::state::senses::Senses;
use crate::outbox::Outbox;
use crate::rules::TriggerReason;
use crate::world::{WorldId, WorldIndex, WorldView};
use bevy::prelude::*;

/// Gives a character, named by id, a reason to respond.
///
/// If the id or the request is wrong, the game gets [`RequestRefused`] in the next pass.
pub fn submit_request(world: &mut World, npc: &str, request: Request) {
    let found = Id::new(npc).map_err(RequestError::from).and_then(|npc| {
        WorldIndex::find(world, &npc)
            .filter(|entity| world.get::<LoadedCharacter>(*entity).is_some())
            .ok_or_else(|| RequestError::UnknownNpc(npc.to_string()))
    });
    match found {
        Ok(entity) => submit(world, entity, request),
        Err(error) => refuse(world, None, npc, error),
    }
}

/// On a run that is to end as Cancelled, at the beginning of the next pass.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet")]
pub(crate) struct CancelRun;

/// Ends the run in flight of a character.
pub(crate) fn cancel(world: &mut World, npc: Entity) {
    let Some(run) = world.get::<Thinking>(npc).map(|thinking| thinking.run) else {
        return;
    };
    // The game may have despawned the run; its removal has freed the character then.
    if let Ok(mut run) = world.get_entity_mut(run) {
        run.insert(CancelRun);
    }
}

/// Words to a character that have been checked.
pub(crate) struct CheckedSpeech {
    pub npc: Id,
    pub speaker: Id,
    pub reason: TriggerReason,
    pub text: String,
}

/// Checks words to a character, named by id, as they are checked for a dialogue.
///
/// # Errors
/// What is wrong with the ids or the words; the character is unknown or does not hear.
pub(crate) fn check_speech(
    world: &World,
    npc: &str,
    speaker: &str,
    player: &Id,
    text: &str,
) -> std::result::Result<CheckedSpeech, RequestError> {
    let npc = Id::new(npc)?;
    let entity = WorldIndex::find(world, &npc)
        .filter(|entity| world.get::<LoadedCharacter>(*entity).is_some())
        .ok_or_else(|| RequestError::UnknownNpc(npc.to_string()))?;
    let clock = world.get_resource::<DramatisClock>();
    if clock.is_some_and(|clock| clock.game.0 < 0) {
        return Err(RequestError::BadTime);
    }
    let request = Request::speech(speaker, player, text).check()?;
    if is_deaf(world, entity) {
        return Err(RequestError::Deaf(npc.to_string()));
    }
    let text = request.input.unwrap_or_default();
    match request.speaker {
        Some(speaker) if !text.is_empty() => Ok(CheckedSpeech {
            npc,
            speaker,
            reason: request.reason,
            text,
        }),
        _ => Err(RequestError::EmptyUtterance),
    }
}

/// Puts a request into the queue of a character, or refuses it.
pub(super) fn submit(world: &mut World, npc: Entity, request: Request) {
    if let Err(error) = enqueue(world, npc, request) {
        refuse_for(world, npc, error);
    }
}

/// Refuses a request to this entity, under the id of its character where it has one.
pub(super) fn refuse_for(world: &mut World, npc: Entity, error: RequestError) {
    let id = LoadedCharacter::id_of(world, npc);
    refuse(world, Some(npc), id.as_deref().unwrap_or_default(), error);
}

fn enqueue(
    world: &mut World,
    npc: Entity,
    request: Request,
) -> std::result::Result<(), RequestError> {
    // The file of a character may still be loading; without a file and without a character, the request would never get an
    // answer.
    let is_character =
        world.get::<LoadedCharacter>(npc).is_some() || world.get::<Npc>(npc).is_some();
    if world.get::<RequestQueue>(npc).is_none() || !is_character {
        return Err(RequestError::UnknownNpc(npc.to_string()));
    }
    if world
        .get_resource::<DramatisClock>()
        .is_some_and(|clock| clock.game.0 < 0)
    {
        return Err(RequestError::BadTime);
    }
    let request = request.check()?;
    if request.input.is_some() && is_deaf(world, npc) {
        let id = LoadedCharacter::id_of(world, npc).map(|id| id.to_string());
        return Err(RequestError::Deaf(id.unwrap_or_default()));
    }
    let policy = world
        .get_resource::<QueuePolicy>()
        .copied()
        .unwrap_or_default();
    let busy = world.get::<Thinking>(npc).is_some();
    let mut numbers = world.get_resource_or_init::<RequestNumbers>();
    let number = numbers.0;
    numbers.0 += 1;
    let mut displaced = Vec::new();
    if let Some(mut queue) = world.get_mut::<RequestQueue>(npc) {
        if policy.on_new == OnNewRequest::Replace {
            displaced.extend(queue.waiting.drain(..));
        } else if queue.waiting.len() >= policy.limit + usize::from(!busy) {
            // A request that will start in the next pass does not wait.
            match policy.when_full {
                WhenFull::Refuse => {
                    return Err(RequestError::QueueFull {
                        limit: policy.limit,
                    });
                }
                WhenFull::DropOldest => displaced.extend(queue.waiting.pop_front()),
            }
        }
        queue.waiting.push_back((number, request));
    }
    if policy.on_new == OnNewRequest::Replace {
        cancel(world, npc);
    }
    for _ in displaced {
        refuse_for(world, npc, RequestError::Replaced);
    }
    world.get_resource_or_init::<ReadyNpcs>().0.insert(npc);
    Ok(())
}

/// Whether a character hears nothing that others say.
fn is_deaf(world: &World, npc: Entity) -> bool {
    let id = world.get::<WorldId>(npc);
    id.is_some_and(|id| Senses::of(&WorldView::new(world), &id.0).deaf)
}

/// Tells the game that a request was refused. `entity` is the character that was asked, where it is known.
pub(crate) fn refuse(world: &mut World, entity: Option<Entity>, npc: &str, error: RequestError) {
    log::debug!(
        "a request to \"{}\" was refused: {error}",
        npc.escape_debug()
    );
    world.get_resource_or_init::<DramatisCounters>().refused += 1;
    let refused = RequestRefused {
        entity,
        npc: npc.to_owned(),
        error,
    };
    world.get_resource_or_init::<Outbox>().tell_about(refused);
}
