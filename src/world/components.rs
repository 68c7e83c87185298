//! The components that make an entity part of the judged world, the index over them, and the view for rules.

use super::state::{EntityView, Placement, WorldRead, WorldState};
use super::value::WorldValue;
use crate::canonical::Digest;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::system::SystemParam;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Makes an entity part of the judged world, under an id that prompts, rules and records use.
///
/// It cannot be changed in place. A second living entity with the same id stays out of the index, and an error
/// is logged.
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
    if let Some(mut index) = world.get_resource_mut::<WorldIndex>()
        && index.get(&id) == Some(context.entity)
    {
        index.entities.remove(&id);
    }
}

/// The judged world as systems see it.
#[derive(SystemParam)]
pub struct JudgedWorld<'w, 's> {
    index: Res<'w, WorldIndex>,
    flags: Res<'w, WorldFlags>,
    facts: Res<'w, WorldFacts>,
    entities: Query<'w, 's, JudgedEntity>,
    contents: Query<'w, 's, &'static Contents>,
    ids: Query<'w, 's, &'static WorldId>,
    locations: Query<'w, 's, &'static Location>,
}

type JudgedEntity = (
    &'static DisplayName,
    &'static Kind,
    &'static Aliases,
    &'static Attributes,
    Option<&'static PlacedIn>,
);

impl JudgedWorld<'_, '_> {
    /// A copy of all of it as plain data, for traces and tests. Locations are not among the entities.
    #[must_use]
    pub fn to_state(&self) -> WorldState {
        let mut state = WorldState {
            flags: self.flags.0.clone(),
            facts: self.facts.0.clone(),
            ..WorldState::default()
        };
        for (id, entity) in self.index.iter() {
            if let Ok(location) = self.locations.get(entity) {
                state
                    .locations
                    .insert(id.to_owned(), location.connected_to.clone());
            } else if let Some(view) = self.entity(id) {
                state.entities.insert(id.to_owned(), view);
            }
        }
        state
    }
}

impl WorldRead for JudgedWorld<'_, '_> {
    fn entity(&self, id: &str) -> Option<EntityView> {
        let entity = self.index.get(id)?;
        if self.locations.contains(entity) {
            return None;
        }
        let (name, kind, aliases, attributes, placed) = self.entities.get(entity).ok()?;
        let at = match placed {
            None => Placement::Offstage,
            Some(PlacedIn(holder)) => match self.ids.get(*holder) {
                Ok(id) if self.locations.contains(*holder) => Placement::In(id.0.clone()),
                Ok(id) => Placement::CarriedBy(id.0.clone()),
                Err(_) => Placement::Offstage,
            },
        };
        Some(EntityView {
            name: if name.0.is_empty() {
                id.to_owned()
            } else {
                name.0.clone()
            },
            aliases: aliases.0.clone(),
            kind: kind.0.clone(),
            at,
            attributes: attributes.0.clone(),
        })
    }

    fn contents(&self, holder: &str) -> Vec<String> {
        let Some(contents) = self
            .index
            .get(holder)
            .and_then(|e| self.contents.get(e).ok())
        else {
            return Vec::new();
        };
        let mut ids: Vec<String> = contents
            .iter()
            .filter_map(|entity| self.ids.get(entity).ok().map(|id| id.0.clone()))
            .collect();
        ids.sort();
        ids
    }

    fn location(&self, id: &str) -> Option<Vec<String>> {
        let location = self.locations.get(self.index.get(id)?).ok()?;
        Some(location.connected_to.clone())
    }

    fn flag(&self, name: &str) -> bool {
        self.flags.0.get(name).copied().unwrap_or_default()
    }

    fn fact(&self, key: &str) -> Option<WorldValue> {
        self.facts.0.get(key).cloned()
    }

    fn facts(&self) -> Vec<(String, WorldValue)> {
        self.facts
            .0
            .iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    }
}

/// The hash of the judged world, kept incrementally: a digest per entity, refreshed where something changed.
///
/// It does not depend on the order in which entities were spawned, nor on their [`Entity`] ids.
#[derive(Resource, Debug, Default)]
pub struct WorldHash {
    digests: BTreeMap<Entity, Digest>,
    sum: [u64; 4],
    /// Entities that left something since the last refresh.
    stale: BTreeSet<Entity>,
}

impl WorldHash {
    /// The hash of all entities with the flags and facts.
    #[must_use]
    pub fn digest(&self, flags: &WorldFlags, facts: &WorldFacts) -> Digest {
        let facts: BTreeMap<&String, serde_json::Value> =
            facts.0.iter().map(|(k, v)| (k, v.to_json())).collect();
        Digest::of(&json!({"entities": self.sum, "flags": flags.0, "facts": facts}))
    }

    fn replace(&mut self, entity: Entity, digest: Option<Digest>) {
        let old = match digest {
            Some(digest) => {
                self.add(digest, u64::wrapping_add);
                self.digests.insert(entity, digest)
            }
            None => self.digests.remove(&entity),
        };
        if let Some(old) = old {
            self.add(old, u64::wrapping_sub);
        }
    }

    fn add(&mut self, digest: Digest, combine: fn(u64, u64) -> u64) {
        for (lane, bytes) in self.sum.iter_mut().zip(digest.0.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            *lane = combine(*lane, u64::from_le_bytes(word));
        }
    }
}

type ChangedEntity = Or<(
    Changed<WorldId>,
    Changed<DisplayName>,
    Changed<Kind>,
    Changed<Aliases>,
    Changed<Attributes>,
    Changed<PlacedIn>,
    Changed<Location>,
)>;

/// Notes what leaves the judged world, or its place in it, whether a run is watching or not.
pub(crate) fn watch_removals(app: &mut App) {
    app.add_observer(
        |gone: On<Remove, WorldId>, hash: Option<ResMut<WorldHash>>| {
            if let Some(mut hash) = hash {
                hash.stale.insert(gone.entity);
            }
        },
    );
    app.add_observer(
        |lifted: On<Remove, PlacedIn>, hash: Option<ResMut<WorldHash>>| {
            if let Some(mut hash) = hash {
                hash.stale.insert(lifted.entity);
            }
        },
    );
}

/// Brings [`WorldHash`] up to date. Runs only while a run needs it.
pub(crate) fn refresh_world_hash(
    mut hash: ResMut<WorldHash>,
    changed: Query<Entity, (With<WorldId>, ChangedEntity)>,
    ids: Query<&WorldId>,
    world: JudgedWorld,
) {
    let mut stale = std::mem::take(&mut hash.stale);
    stale.extend(&changed);
    for entity in stale {
        // A second entity with a taken id stays out of the world, and out of its hash.
        let id = ids
            .get(entity)
            .ok()
            .filter(|id| world.index.get(&id.0) == Some(entity));
        let digest = id.and_then(|id| match (world.location(&id.0), world.entity(&id.0)) {
            (Some(roads), _) => Some(Digest::of(&json!({"id": id.0, "roads": roads}))),
            (None, Some(view)) => Some(Digest::of(
                &json!({"id": id.0, "entity": view.to_json(), "aliases": view.aliases}),
            )),
            (None, None) => None,
        });
        hash.replace(entity, digest);
    }
}
