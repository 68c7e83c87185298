//! A game's own components and resources as parts of the judged world: read and written in place, with no copy to keep
//! in step.

use super::components::{Attributes, Kind};
use super::index::WorldId;
use super::stale::note_removals_of;
use crate::judged_world::state::value::WorldValue;
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

type ReadAttribute = dyn Fn(EntityRef) -> Option<WorldValue> + Send + Sync;
type WriteAttribute = dyn Fn(&mut EntityWorldMut, &WorldValue) -> bool + Send + Sync;
type FindChanged = dyn FnMut(&mut World, &mut Vec<Entity>) + Send + Sync;
type ReadFact = dyn Fn(&World) -> Option<WorldValue> + Send + Sync;

struct BoundAttribute {
    name: &'static str,
    read: Arc<ReadAttribute>,
    write: Arc<WriteAttribute>,
}

/// Which components and resources of the game are part of the judged world. `bind_attribute` and `bind_world_fact` fill
/// it while the app is built.
#[derive(Resource, Default)]
pub struct WorldBindings {
    attributes: Vec<BoundAttribute>,
    facts: BTreeMap<&'static str, Arc<ReadFact>>,
}

/// How to find what changed in bound components since the last look.
#[derive(Resource, Default)]
pub(super) struct BoundChanges(pub Vec<Box<FindChanged>>);

impl WorldBindings {
    /// Every bound attribute, so that of two bindings of one name the first comes last, and wins as it does elsewhere.
    pub(super) fn attributes_of(&self, entity: EntityRef) -> Vec<(String, WorldValue)> {
        let bound = self.attributes.iter().rev();
        bound
            .filter_map(|bound| Some((bound.name.to_owned(), (bound.read)(entity)?)))
            .collect()
    }

    pub(super) fn attribute(&self, entity: EntityRef, name: &str) -> Option<WorldValue> {
        let mut bound = self.attributes.iter().filter(|bound| bound.name == name);
        bound.find_map(|bound| (bound.read)(entity))
    }

    pub(super) fn fact(&self, world: &World, key: &str) -> Option<WorldValue> {
        self.facts.get(key).and_then(|read| read(world))
    }

    pub(super) fn facts(&self, world: &World) -> Vec<(String, WorldValue)> {
        let facts = self.facts.iter();
        facts
            .filter_map(|(key, read)| Some(((*key).to_owned(), read(world)?)))
            .collect()
    }

    /// Whether any world fact is a resource of the game.
    pub(crate) fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    /// Whether the world fact of this key is a resource of the game.
    #[must_use]
    pub fn is_bound_fact(&self, key: &str) -> bool {
        self.facts.contains_key(key)
    }
}

/// Writes an attribute to the component that is bound to it. False when the entity has none.
pub(super) fn write_bound(
    world: &mut World,
    entity: Entity,
    name: &str,
    value: &WorldValue,
) -> bool {
    let Some(bindings) = world.get_resource::<WorldBindings>() else {
        return false;
    };
    let writers: Vec<Arc<WriteAttribute>> = bindings
        .attributes
        .iter()
        .filter(|bound| bound.name == name)
        .map(|bound| bound.write.clone())
        .collect();
    let Ok(mut entity) = world.get_entity_mut(entity) else {
        return false;
    };
    writers.iter().any(|write| write(&mut entity, value))
}

/// Makes a component an attribute of the entities that carry it and a [`WorldId`].
pub(crate) fn bind_attribute<C: Component<Mutability = Mutable>>(
    world: &mut World,
    name: &'static str,
    get: impl Fn(&C) -> WorldValue + Send + Sync + 'static,
    set: impl Fn(&mut C, &WorldValue) + Send + Sync + 'static,
) {
    let bound = BoundAttribute {
        name,
        read: Arc::new(move |entity: EntityRef| entity.get::<C>().map(&get)),
        write: Arc::new(move |entity: &mut EntityWorldMut, value| {
            let Some(mut component) = entity.get_mut::<C>() else {
                return false;
            };
            set(&mut component, value);
            true
        }),
    };
    world
        .get_resource_or_init::<WorldBindings>()
        .attributes
        .push(bound);
    let mut changed = None;
    let find = move |world: &mut World, out: &mut Vec<Entity>| {
        let changed = changed
            .get_or_insert_with(|| world.query_filtered::<Entity, (With<WorldId>, Changed<C>)>());
        out.extend(changed.iter(world));
    };
    world
        .get_resource_or_init::<BoundChanges>()
        .0
        .push(Box::new(find));
    note_removals_of::<C>(world);
}

/// An observer that gives things of this kind, or the thing of this id, a component, set as the attributes say.
pub(crate) fn attach<C: Component + Default>(
    kind_or_id: &'static str,
) -> impl Fn(On<Insert, WorldId>, Query<(&WorldId, &Kind), Without<C>>, Commands) {
    move |added, things, mut commands| {
        let thing = things.get(added.entity);
        if thing.is_ok_and(|(id, kind)| &*id.0 == kind_or_id || kind.0 == kind_or_id) {
            commands.entity(added.entity).queue(give::<C>);
        }
    }
}

fn give<C: Component + Default>(mut entity: EntityWorldMut) {
    let attributes = entity.get::<Attributes>().cloned().unwrap_or_default();
    entity.insert_if_new(C::default());
    let id = entity.id();
    entity.world_scope(|world| {
        for (name, value) in &attributes.0 {
            write_bound(world, id, name, value);
        }
    });
}

/// Makes a resource a world fact.
pub(crate) fn bind_world_fact<R: Resource>(
    world: &mut World,
    key: &'static str,
    get: impl Fn(&R) -> WorldValue + Send + Sync + 'static,
) {
    let read = move |world: &World| world.get_resource::<R>().map(&get);
    world
        .get_resource_or_init::<WorldBindings>()
        .facts
        .insert(key, Arc::new(read));
}
