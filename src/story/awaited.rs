//! What waits: things for the characters who carry them, and characters for the world of their story.

use super::Story;
use crate::base::ids::Id;
use crate::world::{PlacedIn, WorldId, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// Things that wait for the character who carries them, by the id of the character.
#[derive(Resource, Debug, Default)]
pub(crate) struct AwaitedCarriers(pub BTreeMap<Id, Vec<Entity>>);

/// Whether a story has been asked for whose world is not in the game yet.
pub(crate) fn is_story_pending(world: &World) -> bool {
    world.contains_resource::<Story>() && !world.contains_resource::<StoryInstalled>()
}

/// On the world once the world of a story has been installed.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub(crate) struct StoryInstalled;

/// The code waits for no character any more: another game is loaded.
pub(crate) fn forget_awaited(world: &mut World) {
    world.remove_resource::<AwaitedCarriers>();
}

/// What waits for characters that are not loaded yet: the ids of the things, by the id of the character.
pub(crate) fn awaited_items(world: &World) -> BTreeMap<Id, Vec<Id>> {
    let awaited = world.get_resource::<AwaitedCarriers>();
    let awaited = awaited.into_iter().flat_map(|awaited| &awaited.0);
    let waiting = awaited.map(|(carrier, things)| {
        let things = things.iter().filter(|thing| {
            let thing = world.get_entity(**thing).ok();
            thing.is_some_and(|thing| !thing.contains::<PlacedIn>())
        });
        let ids = things.filter_map(|thing| Some(world.get::<WorldId>(*thing)?.0.clone()));
        (carrier.clone(), ids.collect::<Vec<_>>())
    });
    waiting.filter(|(_, things)| !things.is_empty()).collect()
}

/// Lets these things wait for their characters, and no others: a game is loaded.
pub(crate) fn await_carriers(world: &mut World, items: &BTreeMap<Id, Vec<Id>>) {
    let index = world.resource::<WorldIndex>();
    let waiting = items.iter().map(|(carrier, things)| {
        let things = things.iter().filter_map(|id| index.get(id));
        (carrier.clone(), things.collect())
    });
    let waiting = AwaitedCarriers(waiting.collect());
    world.insert_resource(waiting);
}

/// Gives a character that comes into the game what the story says it carries.
pub(crate) fn give_awaited_items(world: &mut World, id: &str, carrier: Entity) {
    let awaited = world
        .get_resource_mut::<AwaitedCarriers>()
        .and_then(|mut awaited| awaited.0.remove(id));
    for thing in awaited.into_iter().flatten() {
        if let Ok(mut thing) = world.get_entity_mut(thing)
            && !thing.contains::<PlacedIn>()
        {
            thing.insert(PlacedIn(carrier));
        }
    }
}
