//! The components and resources that hold the judged world. Ids are in [`index`](super::index).
//!
//! The components are immutable: a game writes by [`GameWrite`](super::GameWrite), or inserts another value. So the engine
//! notes each change when it happens, and never searches the whole world for changes.

use super::stale::note_change;
use crate::base::ids::Id;
use crate::judged_world::state::value::WorldValue;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// The name of an entity or a location. Empty: its id is its name.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[component(immutable, on_insert = note_change, on_discard = note_change)]
#[reflect(Component)]
pub struct DisplayName(pub String);

/// The kind of an entity, such as `character`, `item` or `door`; rules ask for it. Empty: of no kind.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[component(immutable, on_insert = note_change, on_discard = note_change)]
#[reflect(Component)]
pub struct Kind(pub String);

/// Other names of an entity that references to it may use. A location has none.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[component(immutable, on_insert = note_change, on_discard = note_change)]
#[reflect(Component)]
pub struct Aliases(pub Vec<String>);

/// The attributes of an entity, by their names, except for those that are bound to components of the game (see `bindings`).
/// Approved actions write it, and so may the game.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(immutable, on_insert = note_change, on_discard = note_change)]
pub struct Attributes(pub BTreeMap<String, WorldValue>);

/// Makes an entity with a [`WorldId`](super::index::WorldId) a location: things are in it, and one can go from it to others.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[component(immutable, on_insert = note_change, on_discard = note_change)]
#[reflect(Component)]
pub struct Location {
    /// The ids of the locations that one can go to from here. The way back is written there.
    pub connected_to: Vec<Id>,
}

/// Where an entity is: in the [`Location`] that it points at, or carried by any other entity. Without it: offstage.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[relationship(relationship_target = Contents)]
pub struct PlacedIn(pub Entity);

/// What is in a location or carried by an entity. Bevy keeps it in step with [`PlacedIn`].
#[derive(Component, Debug, Default)]
#[relationship_target(relationship = PlacedIn)]
pub struct Contents(Vec<Entity>);

/// Flags that have been set (`true`) or cleared, by name. Approved actions write them, and so may the game; a journal does
/// not see what is written with `bypass_change_detection`.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldFlags(pub BTreeMap<String, bool>);

/// World facts, by key, except for those that are bound to resources. Only the game may change one (authority 75).
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldFacts(pub BTreeMap<String, WorldValue>);

/// The id of the actor whose turn it is, which the game sets: rulebooks ask with `ActorsTurn`. `None`: turns do not matter.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnOf(pub Option<Id>);
