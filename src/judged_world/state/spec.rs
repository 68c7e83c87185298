//! A world as a story or a scenario writes it. Its ids are texts until `WorldSpec::compile` has read them, so that a file
//! with several bad ones is told about all of them.

use super::value::WorldValue;
use crate::base::ids::{BadId, Id};
use crate::format::Problem;
use crate::format::inline::unique_map;
use crate::judged_world::action::newcomer::MAX_INTRODUCED;
use crate::judged_world::state::{EntityView, LocationView, MAX_CARRIERS, Placement, WorldState};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Locations, entities and flags, as authored. Every field may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename = "World")]
pub(crate) struct WorldSpec {
    /// Locations by id. A key that is no id is a load error.
    #[serde(default, deserialize_with = "unique_map")]
    pub locations: BTreeMap<String, LocationSpec>,
    /// Things and characters by id. A key that is no id, or the id of a location, is a load error.
    #[serde(default, deserialize_with = "unique_map")]
    pub entities: BTreeMap<String, EntitySpec>,
    /// Attributes of every thing of a kind, by the kind: `{"door": {"openable": true}}`. An attribute that the entity has itself
    /// replaces that of its kind.
    #[serde(default, deserialize_with = "unique_map")]
    pub kinds: BTreeMap<String, BTreeMap<String, WorldValue>>,
    /// Flags by name: set (`true`) or cleared.
    #[serde(default, deserialize_with = "unique_map")]
    pub flags: BTreeMap<String, bool>,
    /// The id of the actor whose turn it is; `None` where turns do not matter.
    pub turn_of: Option<String>,
    /// The most entities that actions such as `introduce` may have brought into the world; 64 where left out.
    #[serde(default = "default_max_introduced")]
    pub max_introduced: usize,
}

fn default_max_introduced() -> usize {
    MAX_INTRODUCED
}

impl Default for WorldSpec {
    fn default() -> Self {
        Self {
            locations: BTreeMap::new(),
            entities: BTreeMap::new(),
            kinds: BTreeMap::new(),
            flags: BTreeMap::new(),
            turn_of: None,
            max_introduced: MAX_INTRODUCED,
        }
    }
}

/// A location as a story or a scenario writes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Location", deny_unknown_fields)]
pub(crate) struct LocationSpec {
    /// What people call it, in references and in messages.
    pub name: String,
    /// The ids of the locations that one can go to from here; the way back is written there.
    #[serde(default)]
    pub connected_to: Vec<String>,
}

/// A thing or a character, as authored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Entity", deny_unknown_fields)]
pub(crate) struct EntitySpec {
    /// What people call it, in references and in messages.
    pub name: String,
    /// Other names that references to it may use.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its kind: `character`, `item`, `door`, ...
    pub kind: String,
    /// Where it is when the story begins.
    pub at: PlacementSpec,
    /// Its attributes, by name.
    #[serde(default, deserialize_with = "unique_map")]
    pub attributes: BTreeMap<String, WorldValue>,
}

/// Where an entity is, as authored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub(crate) enum PlacementSpec {
    /// In the location with this id; if no file describes it, it becomes a location without ways out.
    In(String),
    /// Carried by the entity with this id, once that comes into the game.
    CarriedBy(String),
    /// Nowhere in play: it exists, but no actor can reach it.
    #[default]
    Offstage,
}

impl WorldSpec {
    /// The world with its ids read. It has no world facts: a file has those elsewhere.
    ///
    /// # Errors
    /// Everything that is wrong: each invalid id, each entity that has the id of a location, and each that is inside more than
    /// 64 others.
    pub fn compile(&self) -> Result<WorldState, Vec<Problem>> {
        let mut ids = Ids::default();
        let mut world = WorldState {
            flags: self.flags.clone(),
            ..WorldState::default()
        };
        for (id, location) in &self.locations {
            let pointer = format!("/locations/{id}");
            let connected_to = location.connected_to.iter().enumerate();
            let view = LocationView {
                name: location.name.clone(),
                connected_to: connected_to
                    .filter_map(|(i, id)| ids.read(id, &format!("{pointer}/connected_to/{i}")))
                    .collect(),
            };
            if let Some(id) = ids.read(id, &pointer) {
                world.locations.insert(id, view);
            }
        }
        for (id, entity) in &self.entities {
            let pointer = format!("/entities/{id}");
            let view = EntityView {
                name: entity.name.clone(),
                aliases: entity.aliases.clone(),
                kind: entity.kind.clone(),
                at: ids
                    .note(entity.at.compile(), &format!("{pointer}/at"))
                    .unwrap_or_default(),
                attributes: self.attributes(entity),
            };
            let Some(id) = ids.read(id, &pointer) else {
                continue;
            };
            if self.is_too_deep(&id) {
                let message = format!(
                    "\"{id}\" is inside more than {MAX_CARRIERS} other things: put it into fewer"
                );
                ids.0.push(Problem::new(format!("{pointer}/at"), message));
            }
            if world.locations.contains_key(&id) {
                let message = format!("\"{id}\" is a location already");
                ids.0.push(Problem::new(pointer, message));
            }
            world.entities.insert(id, view);
        }
        let turn_of = self.turn_of.as_ref();
        world.turn_of = turn_of.and_then(|id| ids.read(id, "/turn_of"));
        if ids.0.is_empty() {
            Ok(world)
        } else {
            Err(ids.0)
        }
    }
}

impl WorldSpec {
    /// What is true of an entity: what its kind brings, and what it says itself.
    #[must_use]
    pub fn attributes(&self, entity: &EntitySpec) -> BTreeMap<String, WorldValue> {
        let mut attributes = self.kinds.get(&entity.kind).cloned().unwrap_or_default();
        attributes.extend(entity.attributes.clone());
        attributes
    }

    /// Whether it is inside more things than may be. A circle is something else, which `check` finds.
    fn is_too_deep(&self, id: &str) -> bool {
        let carrier = |of: &str| match self.entities.get(of).map(|entity| &entity.at) {
            Some(PlacementSpec::CarriedBy(carrier)) => Some(carrier.as_str()),
            _ => None,
        };
        let carriers = std::iter::successors(carrier(id), |above| carrier(above));
        // In a circle there are fewer than it looks.
        let different: BTreeSet<&str> = carriers.take(MAX_CARRIERS + 1).collect();
        different.len() > MAX_CARRIERS
    }
}

/// What is wrong with the ids of a file so far.
#[derive(Default)]
struct Ids(Vec<Problem>);

impl Ids {
    fn read(&mut self, text: &str, pointer: &str) -> Option<Id> {
        self.note(Id::new(text), pointer)
    }

    fn note<T>(&mut self, read: Result<T, BadId>, pointer: &str) -> Option<T> {
        read.map_err(|error| self.0.push(Problem::new(pointer, error.to_string())))
            .ok()
    }
}

impl PlacementSpec {
    /// The place with its id read.
    ///
    /// # Errors
    /// [`BadId`] when what is written is no id.
    pub fn compile(&self) -> Result<Placement, BadId> {
        Ok(match self {
            Self::In(id) => Placement::In(Id::new(id)?),
            Self::CarriedBy(id) => Placement::CarriedBy(Id::new(id)?),
            Self::Offstage => Placement::Offstage,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(things: usize) -> WorldSpec {
        let thing = |i: usize| EntitySpec {
            name: format!("box {i}"),
            aliases: Vec::new(),
            kind: "item".to_owned(),
            at: match i {
                0 => PlacementSpec::In("hall".to_owned()),
                _ => PlacementSpec::CarriedBy(format!("box_{}", i - 1)),
            },
            attributes: BTreeMap::new(),
        };
        WorldSpec {
            entities: (0..things)
                .map(|i| (format!("box_{i}"), thing(i)))
                .collect(),
            ..WorldSpec::default()
        }
    }

    #[test]
    fn w7_things_in_things_have_a_bound() {
        assert!(chain(MAX_CARRIERS + 1).compile().is_ok());
        let problems = chain(MAX_CARRIERS + 2).compile().unwrap_err();
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].message.contains("more than 64"),
            "{}",
            problems[0].message
        );
        // A long chain is refused in linear time.
        assert!(chain(5_000).compile().is_err());
        let mut circle = chain(3);
        circle.entities.get_mut("box_0").unwrap().at = PlacementSpec::CarriedBy("box_2".to_owned());
        assert!(circle.compile().is_ok(), "a circle is for `check`");
    }
}
