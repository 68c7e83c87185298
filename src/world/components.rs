//! The components that make an entity part of the judged world, and the index over them.

use super::value::WorldValue;
use super::watch::WorldTracker;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// Makes an entity part of the judged world, under an id that prompts, rules and records use.
///
/// It cannot be changed in place. A second living entity with the same id stays out of the judged world, and an error is
/// logged; it comes in when the first one goes.
#[derive(Component, Debug, Clone, PartialEq, Eq, Hash, Reflect)]
#[component(immutable, on_insert = index_id, on_discard = unindex_id)]
#[require(DisplayName, Kind, Aliases, Attributes)]
#[reflect(Component)]
pub struct WorldId(pub String);

/// What people call an entity. Empty: its id.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct DisplayName(pub String);

/// The kind of an entity: `character`, `item`, `door`, ...
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct Kind(pub String);

/// Other names of an entity.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct Aliases(pub Vec<String>);

/// What is true of an entity.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes(pub BTreeMap<String, WorldValue>);

/// A place, with the ids of the places that one can go to from here.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct Location {
    /// Ids of connected locations.
    pub connected_to: Vec<String>,
}

/// Where an entity is: in a [`Location`], or carried by whatever else it points at. Without it: offstage.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[relationship(relationship_target = Contents)]
pub struct PlacedIn(pub Entity);

/// What is in a location or carried by an actor.
#[derive(Component, Debug, Default)]
#[relationship_target(relationship = PlacedIn)]
pub struct Contents(Vec<Entity>);

/// Flags that have been set or cleared.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldFlags(pub BTreeMap<String, bool>);

/// Facts of the world that only the game may change (M1, authority 75).
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldFacts(pub BTreeMap<String, WorldValue>);

/// Finds entities of the judged world by id. Kept by hooks.
#[derive(Resource, Debug, Default)]
pub struct WorldIndex {
    entities: BTreeMap<String, Entity>,
    /// Entities that wait for an id that is taken, in the order in which they came.
    waiting: BTreeMap<String, Vec<Entity>>,
}

impl WorldIndex {
    /// The living entity with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Entity> {
        self.entities.get(id).copied()
    }

    /// All ids with their entities, in order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Entity)> {
        self.entities
            .iter()
            .map(|(id, entity)| (id.as_str(), *entity))
    }
}

fn index_id(mut world: DeferredWorld, context: HookContext) {
    let Some(id) = world.get::<WorldId>(context.entity).map(|id| id.0.clone()) else {
        return;
    };
    let Some(mut index) = world.get_resource_mut::<WorldIndex>() else {
        return;
    };
    let holder = *index.entities.entry(id.clone()).or_insert(context.entity);
    if holder != context.entity {
        let waiting = index.waiting.entry(id.clone()).or_default();
        waiting.push(context.entity);
        log::error!(
            "two entities have the world id \"{id}\": {holder} keeps it, {} stays out",
            context.entity
        );
    }
}

fn unindex_id(mut world: DeferredWorld, context: HookContext) {
    let Some(id) = world.get::<WorldId>(context.entity).map(|id| id.0.clone()) else {
        return;
    };
    let Some(mut index) = world.get_resource_mut::<WorldIndex>() else {
        return;
    };
    let mut waiting = index.waiting.remove(&id).unwrap_or_default();
    waiting.retain(|entity| *entity != context.entity);
    let heir = if index.get(&id) == Some(context.entity) {
        index.entities.remove(&id);
        (!waiting.is_empty()).then(|| waiting.remove(0))
    } else {
        None
    };
    if let Some(heir) = heir {
        index.entities.insert(id.clone(), heir);
    }
    if !waiting.is_empty() {
        index.waiting.insert(id, waiting);
    }
    if let (Some(heir), Some(mut watch)) = (heir, world.get_resource_mut::<WorldTracker>()) {
        watch.stale(heir);
    }
}

/// Whose turn it is, where turns matter: rulebooks ask with `ActorsTurn`.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnOf(pub Option<String>);
