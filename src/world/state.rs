//! How pure rules see the world, and a plain world for tests and replay.

use super::spec::{PlacementSpec, WorldSpec};
use super::value::WorldValue;
use crate::canonical::Digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where an entity is. One place by construction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Placement {
    /// In the location with this id.
    In(String),
    /// Carried by the entity with this id.
    CarriedBy(String),
    /// Nowhere in play.
    #[default]
    Offstage,
}

impl Placement {
    /// As it stands in a trace.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::In(id) => json!({ "in": id }),
            Self::CarriedBy(id) => json!({ "carried_by": id }),
            Self::Offstage => json!("offstage"),
        }
    }
}

impl From<&PlacementSpec> for Placement {
    fn from(spec: &PlacementSpec) -> Self {
        match spec {
            PlacementSpec::In(id) => Self::In(id.clone()),
            PlacementSpec::CarriedBy(id) => Self::CarriedBy(id.clone()),
            PlacementSpec::Offstage => Self::Offstage,
        }
    }
}

/// All that rules may know of one entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntityView {
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its kind.
    pub kind: String,
    /// Where it is.
    pub at: Placement,
    /// What is true of it.
    pub attributes: BTreeMap<String, WorldValue>,
}

impl EntityView {
    /// As it stands in a trace.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let attributes: serde_json::Map<String, Value> = self
            .attributes
            .iter()
            .map(|(name, value)| (name.clone(), value.to_json()))
            .collect();
        json!({"name": self.name, "kind": self.kind, "at": self.at.to_json(), "attributes": attributes})
    }
}

/// Read access to the judged world. Everything that rules decide, they decide through this.
pub trait WorldRead {
    /// One entity.
    fn entity(&self, id: &str) -> Option<EntityView>;
    /// The ids of what is directly in a location or carried by an actor, in order of the alphabet.
    fn contents(&self, holder: &str) -> Vec<String>;
    /// Whether a location with this id exists, and where one can go from it.
    fn location(&self, id: &str) -> Option<Vec<String>>;
    /// Whether the flag is set.
    fn flag(&self, name: &str) -> bool;
    /// A world fact.
    fn fact(&self, key: &str) -> Option<WorldValue>;
    /// All world facts, by key.
    fn facts(&self) -> Vec<(String, WorldValue)>;

    /// What `actor` perceives: what is in its location, what it carries, without itself.
    fn perceived_by(&self, actor: &str) -> Vec<(String, EntityView)> {
        let mut ids = self.contents(actor);
        if let Some(Placement::In(place)) = self.entity(actor).map(|entity| entity.at) {
            ids.extend(self.contents(&place));
        }
        ids.sort();
        ids.dedup();
        ids.into_iter()
            .filter(|id| id != actor)
            .filter_map(|id| self.entity(&id).map(|view| (id, view)))
            .collect()
    }
}

/// A world that is plain data: for tests, replay, and judging without an app.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorldState {
    /// Where one can go from each location.
    pub locations: BTreeMap<String, Vec<String>>,
    /// Entities by id.
    pub entities: BTreeMap<String, EntityView>,
    /// Flags that have been set or cleared.
    pub flags: BTreeMap<String, bool>,
    /// World facts.
    pub facts: BTreeMap<String, WorldValue>,
}

impl WorldState {
    /// As it stands in a trace, without the facts.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let entities: serde_json::Map<String, Value> = self
            .entities
            .iter()
            .map(|(id, entity)| (id.clone(), entity.to_json()))
            .collect();
        json!({"entities": entities, "flags": self.flags})
    }

    /// The hash of everything in it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let facts: BTreeMap<&String, Value> =
            self.facts.iter().map(|(k, v)| (k, v.to_json())).collect();
        Digest::of(&json!({"world": self.to_json(), "locations": self.locations, "facts": facts}))
    }
}

impl From<&WorldSpec> for WorldState {
    fn from(spec: &WorldSpec) -> Self {
        Self {
            locations: spec
                .locations
                .iter()
                .map(|(id, location)| (id.clone(), location.connected_to.clone()))
                .collect(),
            entities: spec
                .entities
                .iter()
                .map(|(id, entity)| {
                    let view = EntityView {
                        name: entity.name.clone(),
                        aliases: entity.aliases.clone(),
                        kind: entity.kind.clone(),
                        at: Placement::from(&entity.at),
                        attributes: entity.attributes.clone(),
                    };
                    (id.clone(), view)
                })
                .collect(),
            flags: spec.flags.clone(),
            facts: BTreeMap::new(),
        }
    }
}

impl WorldRead for WorldState {
    fn entity(&self, id: &str) -> Option<EntityView> {
        self.entities.get(id).cloned()
    }

    fn contents(&self, holder: &str) -> Vec<String> {
        self.entities
            .iter()
            .filter(|(_, entity)| match &entity.at {
                Placement::In(id) | Placement::CarriedBy(id) => id == holder,
                Placement::Offstage => false,
            })
            .map(|(id, _)| id.clone())
            .collect()
    }

    fn location(&self, id: &str) -> Option<Vec<String>> {
        self.locations.get(id).cloned()
    }

    fn flag(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or_default()
    }

    fn fact(&self, key: &str) -> Option<WorldValue> {
        self.facts.get(key).cloned()
    }

    fn facts(&self) -> Vec<(String, WorldValue)> {
        self.facts
            .iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tower() -> WorldState {
        let mut world = WorldState::default();
        world.locations.insert("tower".into(), vec!["yard".into()]);
        world.locations.insert("yard".into(), vec!["tower".into()]);
        let at = |at| EntityView {
            at,
            ..EntityView::default()
        };
        world
            .entities
            .insert("ann".into(), at(Placement::In("tower".into())));
        world
            .entities
            .insert("door".into(), at(Placement::In("tower".into())));
        world
            .entities
            .insert("key".into(), at(Placement::CarriedBy("ann".into())));
        world
            .entities
            .insert("tree".into(), at(Placement::In("yard".into())));
        world
            .entities
            .insert("ghost".into(), at(Placement::Offstage));
        world
    }

    #[test]
    fn an_actor_perceives_its_place_and_its_pockets() {
        let seen: Vec<String> = tower()
            .perceived_by("ann")
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        assert_eq!(seen, ["door", "key"]);
        assert!(tower().perceived_by("ghost").is_empty());
        assert!(tower().perceived_by("nobody").is_empty());
    }

    #[test]
    fn w7_the_digest_sees_every_part() {
        let base = tower();
        let mut moved = base.clone();
        moved.entities.get_mut("key").unwrap().at = Placement::Offstage;
        let mut flagged = base.clone();
        flagged.flags.insert("night".into(), false);
        let mut told = base.clone();
        told.facts.insert("weather".into(), "rain".into());
        for other in [moved, flagged, told] {
            assert_ne!(base.digest(), other.digest());
        }
    }
}
