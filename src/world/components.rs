//! The components and resources that hold the judged world. Ids stand in [`index`](super::index).

use super::value::WorldValue;
use bevy::prelude::*;
use std::collections::BTreeMap;

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

/// Whose turn it is, where turns matter: rulebooks ask with `ActorsTurn`.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnOf(pub Option<String>);
