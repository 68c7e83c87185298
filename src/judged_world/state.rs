//! How pure rules see the world, and a plain world for tests and replay.

pub(crate) mod groups;
pub(crate) mod knowledge;
pub(crate) mod part;
pub(crate) mod passage;
pub(crate) mod senses;
pub(crate) mod spec;
pub(crate) mod value;

use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::judged_world::action::newcomer::is_newcomer;
use crate::judged_world::state::groups::Groups;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::words::name_key::is_called;
use crate::memory::Relationship;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many things may carry one another: a coin in a purse in a chest is carried by two. No check looks further up.
pub const MAX_CARRIERS: usize = 64;

/// Where an entity is: in exactly one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// In the location with this id.
    In(Id),
    /// Carried by the entity with this id.
    CarriedBy(Id),
    /// Nowhere in play: it exists, but no actor can reach it.
    #[default]
    Offstage,
}

impl Placement {
    /// As a trace writes it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::In(id) => json!({ "in": id }),
            Self::CarriedBy(id) => json!({ "carried_by": id }),
            Self::Offstage => json!("offstage"),
        }
    }
}

/// All that rules may know of one entity.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityView {
    /// What people call it; its id where it has no name.
    pub name: String,
    /// Other names that references to it may use, in no special order.
    pub aliases: Vec<String>,
    /// Its kind, such as `character`, `item` or `door`. Empty where the game gave none.
    pub kind: String,
    /// Where it is: in a location, carried by another entity, or offstage.
    pub at: Placement,
    /// Its attributes, by name, including those that are bound to components.
    pub attributes: BTreeMap<String, WorldValue>,
}

impl EntityView {
    /// Whether its id, name or an alias has this [`name_key`](crate::world::name_key).
    #[must_use]
    pub fn answers_to(&self, id: &str, wanted: &str) -> bool {
        let names = [id, &self.name];
        let mut names = names
            .into_iter()
            .chain(self.aliases.iter().map(String::as_str));
        names.any(|name| is_called(name, wanted))
    }

    /// As a trace writes it, without aliases.
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

/// All that rules may know of one location.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocationView {
    /// What people call it. Empty: its id is used as its name.
    pub name: String,
    /// The ids of the locations that one can go to from here, in the order in which they were written.
    pub connected_to: Vec<Id>,
}

/// Read access to the judged world. Everything that rules decide, they decide through this.
///
/// The methods below [`WorldRead::turn_of`] have default implementations; a world that can answer faster overrides them.
pub trait WorldRead {
    /// One entity; `None` for a location, or when no entity has this id.
    fn entity(&self, id: &str) -> Option<EntityView>;
    /// The ids of what is directly in a location or carried by an actor, in order of the alphabet.
    fn contents(&self, holder: &str) -> Vec<Id>;
    /// One location; `None` for an entity, or when no location has this id.
    fn location(&self, id: &str) -> Option<LocationView>;
    /// The ids of everything whose id, name or alias has this [`name_key`](crate::world::name_key), offstage or not, locations
    /// too, in order of the alphabet. A key that begins with a blank asks for all names that are read alike.
    fn named(&self, wanted: &str) -> Vec<Id>;
    /// The ids of the entities that are nowhere in play, in order of the alphabet.
    fn offstage(&self) -> Vec<Id>;
    /// How many entities of the world were brought by actions.
    fn introduced(&self) -> usize;
    /// Whether the flag is set; false for a flag that was never set.
    fn flag(&self, name: &str) -> bool;
    /// Whether the flag is set; `None` for a flag that was never set or cleared.
    fn known_flag(&self, name: &str) -> Option<bool> {
        self.flag(name).then_some(true)
    }
    /// A world fact; `None` when it was never set.
    fn fact(&self, key: &str) -> Option<WorldValue>;
    /// All world facts, by key.
    fn facts(&self) -> Vec<(String, WorldValue)>;
    /// The id of the actor whose turn it is; `None` where turns do not matter.
    fn turn_of(&self) -> Option<Id>;

    /// One actor's relationship to another; all zero for an actor without a mind, and in a world that knows no relationships.
    fn relationship(&self, _actor: &str, _other: &str) -> Relationship {
        Relationship::default()
    }

    /// The groups to which actors belong. None in a world that knows no groups.
    fn groups(&self) -> &Groups {
        &groups::NO_GROUPS
    }

    /// Where an entity is; `None` for a location.
    fn placement(&self, id: &str) -> Option<Placement> {
        self.entity(id).map(|entity| entity.at)
    }

    /// An attribute of an entity; `None` when it has none of this name.
    fn attribute(&self, id: &str, name: &str) -> Option<WorldValue> {
        self.entity(id)?.attributes.remove(name)
    }

    /// Whether an entity is of this kind.
    fn is_kind(&self, id: &str, kind: &str) -> bool {
        self.entity(id).is_some_and(|entity| entity.kind == kind)
    }

    /// Whether there is a location with this id.
    fn is_location(&self, id: &str) -> bool {
        self.location(id).is_some()
    }

    /// What people call an entity or a location: its name, or its id where there is none.
    fn name_of(&self, id: &str) -> Option<String> {
        let name = self.entity(id).map(|entity| entity.name);
        let name = name.or_else(|| self.location(id).map(|location| location.name))?;
        Some(if name.is_empty() { id.to_owned() } else { name })
    }

    /// Whether there is an entity or a location with this id.
    fn exists(&self, id: &str) -> bool {
        self.placement(id).is_some() || self.is_location(id)
    }

    /// The location that something is in. A location is in itself; what is carried or offstage is in none.
    fn place_of(&self, id: &str) -> Option<Id> {
        match self.placement(id) {
            Some(Placement::In(place)) => Some(place),
            Some(_) => None,
            None => self.is_location(id).then(|| Id::new(id).ok()).flatten(),
        }
    }

    /// The ids of what `actor` perceives: what it carries and what is in its location, itself among it; without what is
    /// invisible, and what a blind actor does not carry. In order of the alphabet.
    fn near(&self, actor: &str) -> Vec<Id> {
        let is = |id: &str, name| self.attribute(id, name) == Some(WorldValue::Bool(true));
        let mut ids = self.contents(actor);
        match self.placement(actor) {
            Some(Placement::In(place)) if !is(actor, "blind") => {
                ids.extend(self.contents(&place));
                ids.retain(|id| *id == *actor || !is(id, "invisible"));
            }
            _ => ids.retain(|id| !is(id, "invisible")),
        }
        ids.sort();
        ids.dedup();
        ids
    }

    /// What `actor` perceives, without itself: see [`WorldRead::near`].
    fn perceived_by(&self, actor: &str) -> Vec<(Id, EntityView)> {
        let ids = self.near(actor);
        ids.into_iter()
            .filter(|id| *id != *actor)
            .filter_map(|id| self.entity(&id).map(|view| (id, view)))
            .collect()
    }
}

/// A world that is plain data: for tests, replay, and judging without an app.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldState {
    /// All locations, by id.
    pub locations: BTreeMap<Id, LocationView>,
    /// All things and characters, by id. Locations are not among them.
    pub entities: BTreeMap<Id, EntityView>,
    /// Flags that have been set (`true`) or cleared, by name.
    pub flags: BTreeMap<String, bool>,
    /// World facts by key. Only the game changes one.
    pub facts: BTreeMap<String, WorldValue>,
    /// The id of the actor whose turn it is; `None` where turns do not matter.
    pub turn_of: Option<Id>,
    /// The relationships between actors, by both ids, for a world without an app, which has no minds. A saved or recorded world
    /// does not contain them.
    #[serde(skip)]
    pub relationships: BTreeMap<(Id, Id), Relationship>,
}

impl WorldState {
    /// The form that a trace writes: entities and flags. A trace has the facts elsewhere.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let entities: serde_json::Map<String, Value> = self
            .entities
            .iter()
            .map(|(id, entity)| (id.to_string(), entity.to_json()))
            .collect();
        json!({"entities": entities, "flags": self.flags})
    }

    /// The hash of everything in it. It differs from that of `world_digest`, which is the sum of the hashes of its parts.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let facts: BTreeMap<&String, Value> =
            self.facts.iter().map(|(k, v)| (k, v.to_json())).collect();
        let locations: BTreeMap<&Id, Value> = self
            .locations
            .iter()
            .map(|(id, l)| (id, json!({"name": l.name, "roads": l.connected_to})))
            .collect();
        let aliases: BTreeMap<&Id, &Vec<String>> = self
            .entities
            .iter()
            .map(|(id, e)| (id, &e.aliases))
            .collect();
        Digest::of(&json!({
            "world": self.to_json(),
            "aliases": aliases,
            "locations": locations,
            "facts": facts,
            "turn_of": self.turn_of,
        }))
    }
}

impl WorldRead for WorldState {
    fn entity(&self, id: &str) -> Option<EntityView> {
        self.entities.get(id).cloned()
    }

    fn contents(&self, holder: &str) -> Vec<Id> {
        self.entities
            .iter()
            .filter(|(_, entity)| match &entity.at {
                Placement::In(id) | Placement::CarriedBy(id) => id == holder,
                Placement::Offstage => false,
            })
            .map(|(id, _)| id.clone())
            .collect()
    }

    fn location(&self, id: &str) -> Option<LocationView> {
        self.locations.get(id).cloned()
    }

    fn named(&self, wanted: &str) -> Vec<Id> {
        let entities = self
            .entities
            .iter()
            .filter(|(id, entity)| entity.answers_to(id, wanted))
            .map(|(id, _)| id);
        let locations = self
            .locations
            .iter()
            .filter(|(id, location)| is_called(id, wanted) || is_called(&location.name, wanted))
            .map(|(id, _)| id);
        let mut ids: Vec<Id> = entities.chain(locations).cloned().collect();
        ids.sort();
        ids
    }

    fn offstage(&self) -> Vec<Id> {
        self.entities
            .iter()
            .filter(|(_, entity)| entity.at == Placement::Offstage)
            .map(|(id, _)| id.clone())
            .collect()
    }

    fn introduced(&self) -> usize {
        let ids = self.entities.keys();
        ids.filter(|id| is_newcomer(id)).count()
    }

    fn flag(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or_default()
    }

    fn known_flag(&self, name: &str) -> Option<bool> {
        self.flags.get(name).copied()
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

    fn turn_of(&self) -> Option<Id> {
        self.turn_of.clone()
    }

    fn relationship(&self, actor: &str, other: &str) -> Relationship {
        let ids = (Id::new(actor), Id::new(other));
        let (Ok(actor), Ok(other)) = ids else {
            return Relationship::default();
        };
        let felt = self.relationships.get(&(actor, other));
        felt.copied().unwrap_or_default()
    }

    fn placement(&self, id: &str) -> Option<Placement> {
        self.entities.get(id).map(|entity| entity.at.clone())
    }

    fn attribute(&self, id: &str, name: &str) -> Option<WorldValue> {
        self.entities.get(id)?.attributes.get(name).cloned()
    }

    fn is_kind(&self, id: &str, kind: &str) -> bool {
        self.entities
            .get(id)
            .is_some_and(|entity| entity.kind == kind)
    }

    fn is_location(&self, id: &str) -> bool {
        self.locations.contains_key(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn tower() -> WorldState {
        let mut world = WorldState::default();
        for (id, next) in [(id!("tower"), id!("yard")), (id!("yard"), id!("tower"))] {
            let location = LocationView {
                name: format!("the {id}"),
                connected_to: vec![next],
            };
            world.locations.insert(id, location);
        }
        let at = |at| EntityView {
            at,
            ..EntityView::default()
        };
        world
            .entities
            .insert(id!("ann"), at(Placement::In(id!("tower"))));
        world
            .entities
            .insert(id!("door"), at(Placement::In(id!("tower"))));
        world
            .entities
            .insert(id!("key"), at(Placement::CarriedBy(id!("ann"))));
        world
            .entities
            .insert(id!("tree"), at(Placement::In(id!("yard"))));
        world.entities.insert(id!("ghost"), at(Placement::Offstage));
        world
    }

    #[test]
    fn an_actor_perceives_its_place_and_its_pockets() {
        let seen: Vec<Id> = tower()
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
        let mut turned = base.clone();
        turned.turn_of = Some(id!("ann"));
        let mut renamed = base.clone();
        renamed
            .entities
            .get_mut("key")
            .unwrap()
            .aliases
            .push("iron".into());
        for other in [moved, flagged, told, turned, renamed] {
            assert_ne!(base.digest(), other.digest());
        }
    }
}
