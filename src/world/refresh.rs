//! Looking at what has changed in the judged world, so that its hash and its names cost no more than the change.

use super::bindings::BoundChanges;
use super::components::{Contents, PlacedIn, WorldFlags};
use super::index::{WorldId, WorldIndex};
use super::stale::{StaleEntities, note_insertions_of, note_removals_of};
use super::tracker::{TrackedEntity, WorldTracker};
use super::view::{WorldView, names_of};
use crate::base::canonical::Digest;
use crate::judged_world::change::digest::{self, entity_digest, location_digest};
use crate::judged_world::state::{Placement, WorldRead};
use crate::judged_world::words::name_key::name_key;
use crate::text::twin::twin_key;
use bevy::prelude::*;

/// Notes what gets another place in the judged world: that is a relationship, whose hooks are Bevy's own.
pub(crate) fn note_places(app: &mut App) {
    let world = app.world_mut();
    note_insertions_of::<PlacedIn>(world);
    note_removals_of::<PlacedIn>(world);
}

/// Brings `WorldTracker` up to date with everything that has changed until now. Without that resource it does nothing.
pub(crate) fn refresh(world: &mut World) {
    if is_up_to_date(world) {
        return;
    }
    // What is left in its place is empty and costs nothing: taking a resource out and putting it back costs as much as a look.
    let Some(mut tracker) = world.get_resource_mut::<WorldTracker>() else {
        return;
    };
    let mut tracker = std::mem::take(&mut *tracker);
    let stale = &mut world.get_resource_or_init::<StaleEntities>().0;
    let mut changed: Vec<Entity> = std::mem::take(stale).into_iter().collect();
    // What is written after this tick is newer than what this look has seen.
    let now = world.increment_change_tick();
    let since = tracker.seen.replace(now);
    let look = |world: &mut World| {
        let bound = world.get_resource_mut::<BoundChanges>();
        let mut bound = bound.map(|mut bound| std::mem::take(&mut bound.0));
        for find in bound.iter_mut().flatten() {
            find(world, &mut changed);
        }
        if let (Some(bound), Some(mut place)) = (bound, world.get_resource_mut::<BoundChanges>()) {
            place.0 = bound;
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
        tracker.forget(*entity);
    }
    for entity in changed {
        if let Some(tracked) = look_at(world, entity) {
            tracker.learn(entity, tracked);
        }
    }
    if let Some(mut place) = world.get_resource_mut::<WorldTracker>() {
        *place = tracker;
    }
}

/// Whether nothing has been noted since the last look. What is bound to components of the game has to be looked for.
fn is_up_to_date(world: &World) -> bool {
    let stale = world.get_resource::<StaleEntities>();
    let bound = world.get_resource::<BoundChanges>();
    let tracker = world.get_resource::<WorldTracker>();
    stale.is_some_and(|stale| stale.0.is_empty())
        && bound.is_none_or(|bound| bound.0.is_empty())
        && tracker.is_some_and(|tracker| tracker.seen.is_some())
}

/// How an entity is now; nothing when it is no part of the judged world. A second entity with a taken id stays out of
/// it.
fn look_at(world: &World, entity: Entity) -> Option<TrackedEntity> {
    let id = world.get::<WorldId>(entity)?.0.clone();
    if WorldIndex::find(world, &id) != Some(entity) {
        return None;
    }
    let view = WorldView::new(world);
    let digest = match view.location(&id) {
        Some(location) => location_digest(&id, &location),
        None => entity_digest(&id, &view.entity(&id)?),
    };
    Some(TrackedEntity {
        digest,
        names: names_of(world, &id, entity)
            .flat_map(|name| [name_key(name), twin_key(name)])
            .collect(),
        offstage: view.placement(&id) == Some(Placement::Offstage),
        id,
    })
}

/// The hash of the judged world as it is now.
pub fn world_digest(world: &mut World) -> Digest {
    refresh(world);
    let sum = world.get_resource::<WorldTracker>();
    let sum = sum.map(WorldTracker::sum).unwrap_or_default();
    let view = WorldView::new(world);
    let facts = view.facts().into_iter().collect();
    let flags = world.get_resource::<WorldFlags>();
    let flags = flags.map(|flags| flags.0.clone()).unwrap_or_default();
    digest::world_digest(sum, &flags, &facts, view.turn_of().as_deref())
}
