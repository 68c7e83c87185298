//! What must be known of the whole judged world, kept in step with what changes and not with its size: its hash, who is
//! called what, and who waits offstage.

use super::bindings::BoundChanges;
use super::components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, WorldId, WorldIndex,
};
use super::judged::{WorldView, names_of};
use super::mirror::{DigestSum, entity_digest, location_digest};
use super::reference::key;
use super::state::{Placement, WorldRead};
use crate::base::canonical::Digest;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type ChangedEntity = (
    With<WorldId>,
    Or<(
        Changed<WorldId>,
        Changed<DisplayName>,
        Changed<Kind>,
        Changed<Aliases>,
        Changed<Attributes>,
        Changed<PlacedIn>,
        Changed<Location>,
    )>,
);

/// What is known of one entity.
#[derive(Debug)]
struct Known {
    id: String,
    digest: Digest,
    names: BTreeSet<String>,
}

/// The hash, the names and the offstage of the judged world. [`refresh`] brings it up to date.
///
/// The hash depends neither on the order in which entities were spawned nor on their [`Entity`] ids.
#[derive(Resource, Default)]
pub struct WorldTracker {
    known: BTreeMap<Entity, Known>,
    sum: DigestSum,
    names: BTreeMap<String, BTreeSet<String>>,
    offstage: BTreeSet<String>,
    /// Entities that left something since the last look.
    stale: BTreeSet<Entity>,
    changed: Option<QueryState<Entity, ChangedEntity>>,
    seen: Option<Tick>,
    /// The ids of what has changed, for who asked to be told.
    touched: Option<BTreeSet<String>>,
}

impl WorldTracker {
    /// The ids of everything whose id, name or alias has this [`key`].
    pub(super) fn named(&self, wanted: &str) -> Vec<String> {
        let ids = self.names.get(wanted);
        ids.into_iter().flatten().cloned().collect()
    }

    pub(super) fn offstage(&self) -> Vec<String> {
        self.offstage.iter().cloned().collect()
    }

    pub(super) fn stale(&mut self, entity: Entity) {
        self.stale.insert(entity);
    }

    /// From now on, keeps the ids of what changes for [`WorldTracker::take_touched`].
    pub(crate) fn keep_touched(&mut self) {
        self.touched.get_or_insert_default();
    }

    /// The ids of what has changed since the last call.
    pub(crate) fn take_touched(&mut self) -> BTreeSet<String> {
        self.touched
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn replace(&mut self, entity: Entity, known: Option<Known>) {
        if let Some(touched) = &mut self.touched {
            let ids = self.known.get(&entity).into_iter().chain(&known);
            touched.extend(ids.map(|known| known.id.clone()));
        }
        if let Some(old) = self.known.remove(&entity) {
            self.sum.remove(old.digest);
            self.offstage.remove(&old.id);
            for name in &old.names {
                if let Some(ids) = self.names.get_mut(name) {
                    ids.remove(&old.id);
                    if ids.is_empty() {
                        self.names.remove(name);
                    }
                }
            }
        }
        if let Some(new) = known {
            self.sum.add(new.digest);
            for name in &new.names {
                let ids = self.names.entry(name.clone()).or_default();
                ids.insert(new.id.clone());
            }
            self.known.insert(entity, new);
        }
    }
}

/// Notes what leaves the judged world, or its place in it, whether anybody is watching or not.
pub(crate) fn watch_removals(app: &mut App) {
    watch_removal_of::<WorldId>(app);
    watch_removal_of::<PlacedIn>(app);
    watch_removal_of::<Location>(app);
    watch_removal_of::<Attributes>(app);
    watch_removal_of::<Kind>(app);
    watch_removal_of::<DisplayName>(app);
    watch_removal_of::<Aliases>(app);
}

fn watch_removal_of<C: Component>(app: &mut App) {
    app.add_observer(|gone: On<Remove, C>, watch: Option<ResMut<WorldTracker>>| {
        if let Some(mut watch) = watch {
            watch.stale(gone.entity);
        }
    });
}

/// Brings [`WorldTracker`] up to date with everything that has changed until now.
pub fn refresh(world: &mut World) {
    let Some(mut watch) = world.remove_resource::<WorldTracker>() else {
        return;
    };
    let mut changed: Vec<Entity> = std::mem::take(&mut watch.stale).into_iter().collect();
    // What is written after this tick is newer than what this look has seen.
    let now = world.increment_change_tick();
    let since = watch.seen.replace(now);
    let look = |world: &mut World| {
        let query = watch
            .changed
            .get_or_insert_with(|| world.query_filtered::<Entity, ChangedEntity>());
        changed.extend(query.iter(world));
        if let Some(mut bound) = world.remove_resource::<BoundChanges>() {
            for find in &mut bound.0 {
                find(world, &mut changed);
            }
            world.insert_resource(bound);
        }
    };
    match since {
        Some(since) => world.last_change_tick_scope(since, look),
        None => {
            let mut all = world.query_filtered::<Entity, With<WorldId>>();
            changed.extend(all.iter(world));
        }
    }
    // What a holder is called, and whether it is a place, is part of where its contents are.
    let held = changed
        .iter()
        .filter_map(|holder| world.get::<Contents>(*holder));
    let held: Vec<Entity> = held.flat_map(|contents| contents.iter()).collect();
    changed.extend(held);
    changed.sort_unstable();
    changed.dedup();
    // An id may have passed from one entity to another: all that is old goes before anything new comes.
    for entity in &changed {
        watch.replace(*entity, None);
    }
    for entity in changed {
        let known = know(world, entity);
        let id = known.as_ref().map(|known| known.id.clone());
        watch.replace(entity, known);
        if let Some(id) = id
            && WorldView::new(world).placement(&id) == Some(Placement::Offstage)
        {
            watch.offstage.insert(id);
        }
    }
    world.insert_resource(watch);
}

/// What is to be known of an entity; nothing when it is no part of the judged world. A second entity with a taken id
/// stays out of it.
fn know(world: &World, entity: Entity) -> Option<Known> {
    let id = world.get::<WorldId>(entity)?.0.clone();
    if world.get_resource::<WorldIndex>()?.get(&id) != Some(entity) {
        return None;
    }
    let judged = WorldView::new(world);
    let digest = match judged.location(&id) {
        Some(location) => location_digest(&id, &location),
        None => entity_digest(&id, &judged.entity(&id)?),
    };
    let names = names_of(world, &id, entity).map(key).collect();
    Some(Known { id, digest, names })
}

/// The hash of the judged world as it stands now.
pub fn world_digest(world: &mut World) -> Digest {
    refresh(world);
    let sum = world
        .get_resource::<WorldTracker>()
        .map(|watch| watch.sum)
        .unwrap_or_default();
    let judged = WorldView::new(world);
    let facts = judged.facts().into_iter().collect();
    let flags = world.get_resource::<super::components::WorldFlags>();
    let flags = flags.map(|flags| flags.0.clone()).unwrap_or_default();
    sum.of_world(&flags, &facts, judged.turn_of().as_deref())
}
