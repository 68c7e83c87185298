//! A world as a story or a scenario writes it.

use super::value::WorldValue;
use crate::format::inline::unique_map;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Locations, entities and flags, as authored. Every field may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// Locations by id.
    #[serde(default, deserialize_with = "unique_map")]
    pub locations: BTreeMap<String, LocationSpec>,
    /// Entities by id.
    #[serde(default, deserialize_with = "unique_map")]
    pub entities: BTreeMap<String, EntitySpec>,
    /// Flags by name: set (`true`) or cleared.
    #[serde(default, deserialize_with = "unique_map")]
    pub flags: BTreeMap<String, bool>,
    /// The id of the actor whose turn it is; `None` where turns do not matter.
    #[serde(default)]
    pub turn_of: Option<String>,
}

/// A location, as authored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocationSpec {
    /// What people call it.
    pub name: String,
    /// The ids of the locations that one can go to from here; the way back is written there.
    #[serde(default)]
    pub connected_to: Vec<String>,
}

/// A thing or a character, as authored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntitySpec {
    /// What people call it.
    pub name: String,
    /// Other names that references to it may use.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its kind: `character`, `item`, `door`, ...
    pub kind: String,
    /// Where it is when the story begins.
    pub at: PlacementSpec,
    /// What is true of it, by the attribute's name.
    #[serde(default, deserialize_with = "unique_map")]
    pub attributes: BTreeMap<String, WorldValue>,
}

/// Where an entity is, as authored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub enum PlacementSpec {
    /// In the location with this id; one that nobody describes becomes a location without ways out.
    In(String),
    /// Carried by the entity with this id, once that comes into the game.
    CarriedBy(String),
    /// Nowhere in play.
    #[default]
    Offstage,
}
