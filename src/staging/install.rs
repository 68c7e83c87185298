//! Puts the world that a story describes into the ECS.

use crate::authoring::StoryBook;
use crate::base::ids::Id;
use crate::npc::{KnownNames, LoadedCharacter};
use crate::story::ActiveStory;
use crate::story::awaited::{AwaitedCarriers, StoryInstalled};
use crate::world::writer::{spawn_entity, write_location, write_part};
use crate::world::{
    GameWrite, Location, LocationView, PlacedIn, Placement, WorldFacts, WorldFlags, WorldIndex,
    WorldPart, WorldState,
};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A story that the game has read itself, from any system. A story that is an asset needs no command: see
/// [`Story`](crate::story::Story).
pub trait StoryCommandsExt {
    /// Makes a story the one that is played, and puts its world into the ECS: locations, entities, flags and facts. What is in the
    /// game already, by its id, stays as it is; only if the game has put it nowhere, the story does. A place that the story names and
    /// does not describe becomes a location without roads.
    fn install_story(&mut self, story: Arc<StoryBook>);
}

impl StoryCommandsExt for Commands<'_, '_> {
    fn install_story(&mut self, story: Arc<StoryBook>) {
        self.insert_resource(ActiveStory(story.clone()));
        self.queue(move |world: &mut World| install_world(world, &story));
    }
}

/// Puts a story's world into the ECS, as [`StoryCommandsExt::install_story`] says.
pub(crate) fn install_world(world: &mut World, story: &StoryBook) {
    world.init_resource::<WorldIndex>();
    world.init_resource::<StoryInstalled>();
    world.init_resource::<WorldFlags>();
    world.init_resource::<WorldFacts>();
    for (name, value) in &story.world.flags {
        write_part(world, &WorldPart::Flag(name.clone(), Some(*value)));
    }
    for (key, value) in &story.world_facts {
        write_part(world, &WorldPart::Fact(key.clone(), Some(value.clone())));
    }
    if story.world.turn_of.is_some() {
        write_part(world, &WorldPart::TurnOf(story.world.turn_of.clone()));
    }
    for (id, location) in &story.world.locations {
        spawn_location(world, id, location);
    }
    for id in undescribed_places(&story.world) {
        ensure_location(world, &id);
    }
    let mut new = BTreeSet::new();
    for (id, entity) in &story.world.entities {
        if entity.kind == "character" {
            let mut names = world.get_resource_or_init::<KnownNames>();
            names.add(&entity.name);
            names.add(id);
            entity.aliases.iter().for_each(|alias| names.add(alias));
        }
        if world.resource::<WorldIndex>().get(id).is_none() {
            new.insert(id);
            spawn_entity(world, id, entity);
        }
    }
    for (id, entity) in &story.world.entities {
        // The game has put somewhere what lived already and is placed.
        let living = world.resource::<WorldIndex>().get(id);
        if !new.contains(id) && living.is_some_and(|e| world.get::<PlacedIn>(e).is_some()) {
            continue;
        }
        let placed = GameWrite::place(id.clone(), entity.at.clone()).of_story();
        let Err(error) = placed.apply(world) else {
            continue;
        };
        let thing = world.resource::<WorldIndex>().get(id);
        match (&entity.at, thing) {
            // Carried by a character that has not come into the game yet.
            (Placement::CarriedBy(carrier), Some(thing)) => {
                let mut awaited = world.get_resource_or_init::<AwaitedCarriers>();
                awaited.0.entry(carrier.clone()).or_default().push(thing);
            }
            _ => log::warn!("the story puts \"{id}\" nowhere: {error}"),
        }
    }
    place_unplaced_characters(world);
}

/// Puts characters that were spawned before their world where they belong.
fn place_unplaced_characters(world: &mut World) {
    let mut early = world.query_filtered::<(Entity, &LoadedCharacter), Without<PlacedIn>>();
    let early: Vec<(Entity, Id)> = early
        .iter(world)
        .filter_map(|(entity, character)| Some((entity, character.0.location.clone()?)))
        .collect();
    for (entity, place) in early {
        let found = world.resource::<WorldIndex>().get(&place);
        match found.filter(|found| world.get::<Location>(*found).is_some()) {
            Some(found) => {
                world.entity_mut(entity).insert(PlacedIn(found));
            }
            None => log::warn!(
                "{entity} stays offstage: no location has the id \"{}\"",
                place.escape_debug()
            ),
        }
    }
}

/// Makes sure that a location with this id is there; a new one has no roads.
pub fn ensure_location(world: &mut World, id: &Id) {
    world.init_resource::<WorldIndex>();
    let location = LocationView {
        name: id.to_string(),
        ..LocationView::default()
    };
    spawn_location(world, id, &location);
}

fn spawn_location(world: &mut World, id: &Id, location: &LocationView) {
    if world.resource::<WorldIndex>().get(id).is_none() {
        write_location(world, id, location);
    }
}

fn undescribed_places(world: &WorldState) -> BTreeSet<Id> {
    let places = world
        .entities
        .values()
        .filter_map(|entity| match &entity.at {
            Placement::In(id) => Some(id.clone()),
            _ => None,
        });
    places
        .filter(|id| !world.locations.contains_key(id))
        .collect()
}
