//! The ids of entities, and the index over them.

use super::components::{Aliases, Attributes, DisplayName, Kind};
use super::stale::{StaleEntities, note_change};
use crate::base::ids::Id;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// Makes an entity part of the judged world, under an id that prompts, rules and records use.
///
/// It cannot be changed in place. A second living entity with the same id stays out of the judged world, and an error is
/// logged; it joins when the first one is gone.
#[derive(Component, Debug, Clone, PartialEq, Eq, Hash, Reflect)]
#[component(immutable, on_insert = index_id, on_discard = unindex_id)]
#[require(DisplayName, Kind, Aliases, Attributes)]
#[reflect(Component)]
pub struct WorldId(pub Id);

/// Finds entities of the judged world by id. Hooks of [`WorldId`] keep it; without this resource nothing is found.
#[derive(Resource, Debug, Default)]
pub struct WorldIndex {
    entities: BTreeMap<Id, Entity>,
    /// Entities that wait for an id that is taken, in the order in which they came.
    waiting: BTreeMap<Id, Vec<Entity>>,
}

impl WorldIndex {
    /// The living entity with this id, a location included; none when nothing has it.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Entity> {
        self.entities.get(id).copied()
    }

    /// The same by the index of a world; none without an index.
    pub(crate) fn find(world: &World, id: &str) -> Option<Entity> {
        world.get_resource::<Self>()?.get(id)
    }

    /// Whether any entity waits for an id that is taken.
    pub(super) fn has_doubles(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// All ids with their entities, in order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, Entity)> {
        self.entities.iter().map(|(id, entity)| (id, *entity))
    }
}

fn index_id(mut world: DeferredWorld, context: HookContext) {
    note_change(world.reborrow(), context);
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
    note_change(world.reborrow(), context);
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
    if let (Some(heir), Some(mut stale)) = (heir, world.get_resource_mut::<StaleEntities>()) {
        stale.0.insert(heir);
    }
}
