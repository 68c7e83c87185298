//! What the recorded game did to its world, done again.

use crate::memory::{DormantMinds, SavedMind};
use crate::npc::LoadedCharacter;
use crate::world::mirror::Now;
use crate::world::writes::restore_entity;
use crate::world::{
    DisplayName, Kind, Location, PlacedIn, Placement, TurnOf, WorldFacts, WorldFlags, WorldId,
    WorldIndex,
};
use bevy::prelude::*;
use std::collections::BTreeMap;

fn find(world: &World, id: &str) -> Option<Entity> {
    world.resource::<WorldIndex>().get(id)
}

/// Makes everything what it is now. First what is there, then where it is.
pub(super) fn put(world: &mut World, now: &[Now]) {
    for now in now {
        match now {
            Now::Location(id, None) => {
                let place = find(world, id).filter(|e| world.get::<Location>(*e).is_some());
                place.map(|place| world.despawn(place));
            }
            Now::Entity(id, None) => {
                let thing = find(world, id).filter(|e| world.get::<Location>(*e).is_none());
                thing.map(|thing| world.despawn(thing));
            }
            _ => {}
        }
    }
    world.flush();
    for now in now {
        match now {
            Now::Location(id, Some(view)) => {
                let connected_to = view.connected_to.clone();
                let parts = (Location { connected_to }, DisplayName(view.name.clone()));
                match find(world, id) {
                    Some(place) => {
                        world.entity_mut(place).insert(parts);
                    }
                    None => {
                        let kind = Kind("location".to_owned());
                        world.spawn((parts, kind, WorldId(id.clone())));
                    }
                }
            }
            Now::Entity(id, Some(view)) => restore_entity(world, id, view),
            Now::Flag(name, value) => {
                let mut flags = world.resource_mut::<WorldFlags>();
                match value {
                    Some(value) => flags.0.insert(name.clone(), *value),
                    None => flags.0.remove(name),
                };
            }
            Now::Fact(key, value) => {
                let mut facts = world.resource_mut::<WorldFacts>();
                match value {
                    Some(value) => facts.0.insert(key.clone(), value.clone()),
                    None => facts.0.remove(key),
                };
            }
            Now::TurnOf(actor) => world.insert_resource(TurnOf(actor.clone())),
            Now::Location(_, None) | Now::Entity(_, None) => {}
        }
    }
    world.flush();
    let mut places = world.remove_resource::<Unplaced>().unwrap_or_default();
    for now in now {
        if let Now::Entity(id, view) = now {
            places.0.remove(id);
            let at = view.as_ref().map(|view| (id.clone(), view.at.clone()));
            places.0.extend(at);
        }
    }
    places.0.retain(|id, at| !place(world, id, at));
    world.insert_resource(places);
    world.flush();
}

/// Things whose holder comes by a later write: what was written down as a write of the game comes before what was found
/// by comparison.
#[derive(Resource, Default)]
struct Unplaced(BTreeMap<String, Placement>);

/// False when its holder is not there yet.
fn place(world: &mut World, id: &str, at: &Placement) -> bool {
    let Some(thing) = find(world, id) else {
        return true;
    };
    let holder = match at {
        Placement::Offstage => None,
        Placement::In(holder) | Placement::CarriedBy(holder) => find(world, holder),
    };
    match holder.filter(|holder| *holder != thing) {
        Some(holder) => world.entity_mut(thing).insert(PlacedIn(holder)),
        None => world.entity_mut(thing).remove::<PlacedIn>(),
    };
    holder.is_some() || *at == Placement::Offstage
}

/// A character comes on stage, or gets another file.
pub(super) fn enter(world: &mut World, npc: &str, persona: LoadedCharacter, mind: &SavedMind) {
    let living = find(world, npc);
    let place = living.and_then(|entity| world.get::<PlacedIn>(entity).cloned());
    // Who has left does not come back as the same entity: a run of the one who left has nobody.
    let same = living.filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    let entity = same.unwrap_or_else(|| world.spawn_empty().id());
    world.entity_mut(entity).insert(persona);
    world.flush();
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.insert(mind.restore(npc));
        // Where it goes is a write of its own.
        match place {
            Some(place) => entity.insert(place),
            None => entity.remove::<PlacedIn>(),
        };
    }
}

/// A character goes; what is left of it in the world goes by a write of its own.
pub(super) fn leave(world: &mut World, npc: &str) {
    if let Some(entity) = find(world, npc) {
        world.entity_mut(entity).remove::<LoadedCharacter>();
    }
}

/// A character's mind is another one.
pub(super) fn remember(world: &mut World, npc: &str, mind: &SavedMind) {
    let entity = find(world, npc).filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    match entity {
        Some(entity) => {
            world.entity_mut(entity).insert(mind.restore(npc));
        }
        // It has gone in the same moment.
        None => {
            let mut dormant = world.resource_mut::<DormantMinds>();
            dormant.0.insert(npc.to_owned(), mind.restore(npc));
        }
    }
}
