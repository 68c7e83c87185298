//! What the recorded game did to its world, done again.

use crate::base::ids::Id;
use crate::memory::{DormantMinds, SavedMind};
use crate::npc::{CharacterChange, LoadedCharacter, log_character_change};
use crate::world::writer::{put_down, write_part};
use crate::world::{PlacedIn, Placement, WorldIndex, WorldPart};
use bevy::prelude::*;
use std::collections::BTreeMap;

fn find(world: &World, id: &str) -> Option<Entity> {
    world.resource::<WorldIndex>().get(id)
}

/// Puts everything into its current state. First the things, then their places.
pub(crate) fn put(world: &mut World, now: &[WorldPart]) {
    let (gone, there): (Vec<&WorldPart>, Vec<&WorldPart>) =
        now.iter().partition(|part| part.is_gone());
    for parts in [gone, there] {
        for part in parts {
            write_part(world, part);
        }
        world.flush();
    }
    let mut places = world.remove_resource::<Unplaced>().unwrap_or_default();
    for part in now {
        if let WorldPart::Entity(id, view) = part {
            places.0.remove(id);
            let at = view.as_ref().map(|view| (id.clone(), view.at.clone()));
            places.0.extend(at);
        }
    }
    places
        .0
        .retain(|id, at| find(world, id).is_some_and(|thing| !put_down(world, thing, at)));
    world.insert_resource(places);
    world.flush();
}

/// Things whose holder comes by a later write: what was written down as a write of the game comes before what was found
/// by comparison.
#[derive(Resource, Default)]
struct Unplaced(BTreeMap<Id, Placement>);

/// A character comes into the game, or gets another file.
pub(crate) fn enter(world: &mut World, npc: &Id, character: LoadedCharacter, mind: &SavedMind) {
    let living = find(world, npc);
    let place = living.and_then(|entity| world.get::<PlacedIn>(entity).cloned());
    // A character that has left does not come back as the same entity: the runs of the old one have no character.
    let same = living.filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    let entity = same.unwrap_or_else(|| world.spawn_empty().id());
    world.entity_mut(entity).insert(character);
    world.flush();
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.insert(mind.restore(npc));
        // A separate write sets its place.
        match place {
            Some(place) => entity.insert(place),
            None => entity.remove::<PlacedIn>(),
        };
    }
}

/// A character leaves; separate writes remove the rest of it from the world.
pub(crate) fn leave(world: &mut World, npc: &Id) {
    if let Some(entity) = find(world, npc) {
        world.entity_mut(entity).remove::<LoadedCharacter>();
    }
}

/// A character's mind is another one.
pub(crate) fn remember(world: &mut World, npc: &Id, mind: &SavedMind) {
    let entity = find(world, npc).filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    match entity {
        Some(entity) => {
            world.entity_mut(entity).insert(mind.restore(npc));
        }
        // It has gone in the same moment.
        None => {
            let mut dormant = world.resource_mut::<DormantMinds>();
            dormant.keep(npc.clone(), mind.restore(npc));
            // The journal may have looked at the mind that it had before.
            log_character_change(world, CharacterChange::Left(npc.clone()));
        }
    }
}
