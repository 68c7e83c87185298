//! A world as it is written.

use super::value::WorldValue;
use crate::format::inline::unique_map;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Locations, entities and flags. Nothing is required.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// Locations by id.
    #[serde(default, deserialize_with = "unique_map")]
    pub locations: BTreeMap<String, LocationSpec>,
    /// Entities by id.
    #[serde(default, deserialize_with = "unique_map")]
    pub entities: BTreeMap<String, EntitySpec>,
    /// Flags by name.
    #[serde(default, deserialize_with = "unique_map")]
    pub flags: BTreeMap<String, bool>,
    /// Whose turn it is, where turns matter.
    #[serde(default)]
    pub turn_of: Option<String>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocationSpec {
    /// Its name.
    pub name: String,
    /// The ids of the locations that one can go to from here.
    #[serde(default)]
    pub connected_to: Vec<String>,
}

/// A thing or a character.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntitySpec {
    /// Its name.
    pub name: String,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its kind: `character`, `item`, `door`, ...
    pub kind: String,
    /// Where it is.
    pub at: PlacementSpec,
    /// What is true of it.
    #[serde(default, deserialize_with = "unique_map")]
    pub attributes: BTreeMap<String, WorldValue>,
}

/// Where an entity is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub enum PlacementSpec {
    /// In a location.
    In(String),
    /// Carried by an actor.
    CarriedBy(String),
    /// Nowhere in play.
    #[default]
    Offstage,
}
