//! A copy of the judged world as plain data, kept in step change by change: what a journal has written down so far.

use super::overlay::Change;
use super::state::{EntityView, LocationView, Placement, WorldState};
use super::value::WorldValue;
use super::writes::GameWrite;
use crate::base::canonical::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The sum of the digests of everything in a world: it depends on no order, and changes with what changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DigestSum([u64; 4]);

impl DigestSum {
    /// Something came.
    pub fn add(&mut self, digest: Digest) {
        self.combine(digest, u64::wrapping_add);
    }

    /// Something went.
    pub fn remove(&mut self, digest: Digest) {
        self.combine(digest, u64::wrapping_sub);
    }

    fn combine(&mut self, digest: Digest, combine: fn(u64, u64) -> u64) {
        for (lane, bytes) in self.0.iter_mut().zip(digest.0.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            *lane = combine(*lane, u64::from_le_bytes(word));
        }
    }

    /// The hash of a world whose entities and places sum up to this.
    #[must_use]
    pub fn of_world(
        self,
        flags: &BTreeMap<String, bool>,
        facts: &BTreeMap<String, WorldValue>,
        turn_of: Option<&str>,
    ) -> Digest {
        let facts: BTreeMap<&str, Value> = facts
            .iter()
            .map(|(key, value)| (key.as_str(), value.to_json()))
            .collect();
        Digest::of(&json!({"entities": self.0, "flags": flags, "facts": facts, "turn_of": turn_of}))
    }
}

/// The digest of an entity.
#[must_use]
pub fn entity_digest(id: &str, view: &EntityView) -> Digest {
    Digest::of(&json!({"id": id, "entity": view.to_json(), "aliases": view.aliases}))
}

/// The digest of a location.
#[must_use]
pub fn location_digest(id: &str, view: &LocationView) -> Digest {
    Digest::of(&json!({"id": id, "name": view.name, "roads": view.connected_to}))
}

/// How one thing of the judged world is now. `None`: it is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Now {
    /// An entity.
    Entity(String, Option<EntityView>),
    /// A location.
    Location(String, Option<LocationView>),
    /// A flag.
    Flag(String, Option<bool>),
    /// A world fact.
    Fact(String, Option<WorldValue>),
    /// Whose turn it is.
    TurnOf(Option<String>),
}

/// A copy of the judged world.
#[derive(Debug, Clone, Default)]
pub struct WorldMirror {
    state: WorldState,
    sum: DigestSum,
}

impl WorldMirror {
    /// A copy of this world.
    #[must_use]
    pub fn of(state: WorldState) -> Self {
        let mut sum = DigestSum::default();
        for (id, view) in &state.entities {
            sum.add(entity_digest(id, view));
        }
        for (id, view) in &state.locations {
            sum.add(location_digest(id, view));
        }
        Self { state, sum }
    }

    /// What it holds.
    #[must_use]
    pub fn state(&self) -> &WorldState {
        &self.state
    }

    /// Its hash: that of the world that it is a copy of.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let WorldState {
            flags,
            facts,
            turn_of,
            ..
        } = &self.state;
        self.sum.of_world(flags, facts, turn_of.as_deref())
    }

    /// How an entity or a location is, under its id.
    #[must_use]
    pub fn now(&self, id: &str) -> Now {
        match self.state.locations.get(id) {
            Some(view) => Now::Location(id.to_owned(), Some(view.clone())),
            None => Now::Entity(id.to_owned(), self.state.entities.get(id).cloned()),
        }
    }

    /// Takes over how something is now. False when it was so already.
    pub fn set(&mut self, now: &Now) -> bool {
        let state = &mut self.state;
        match now {
            Now::Entity(id, view) => {
                if state.entities.get(id) == view.as_ref() {
                    return false;
                }
                let old = match view {
                    Some(view) => state.entities.insert(id.clone(), view.clone()),
                    None => state.entities.remove(id),
                };
                if let Some(old) = old {
                    self.sum.remove(entity_digest(id, &old));
                }
                if let Some(view) = view {
                    self.sum.add(entity_digest(id, view));
                }
                true
            }
            Now::Location(id, view) => {
                if state.locations.get(id) == view.as_ref() {
                    return false;
                }
                let old = match view {
                    Some(view) => state.locations.insert(id.clone(), view.clone()),
                    None => state.locations.remove(id),
                };
                if let Some(old) = old {
                    self.sum.remove(location_digest(id, &old));
                }
                if let Some(view) = view {
                    self.sum.add(location_digest(id, view));
                }
                true
            }
            Now::Flag(name, value) => set_in(&mut state.flags, name, value.as_ref()),
            Now::Fact(key, value) => set_in(&mut state.facts, key, value.as_ref()),
            Now::TurnOf(actor) => {
                let changed = state.turn_of != *actor;
                state.turn_of.clone_from(actor);
                changed
            }
        }
    }

    /// Changes an entity in place; one that is not there stays so.
    fn edit(&mut self, id: &str, edit: impl FnOnce(&mut EntityView)) -> Option<Now> {
        let mut view = self.state.entities.get(id)?.clone();
        edit(&mut view);
        let now = Now::Entity(id.to_owned(), Some(view));
        self.set(&now);
        Some(now)
    }

    fn take(&mut self, now: Now) -> Option<Now> {
        self.set(&now);
        Some(now)
    }

    fn attribute(&mut self, id: &str, name: &str, value: &WorldValue) -> Option<Now> {
        self.edit(id, |view| {
            view.attributes.insert(name.to_owned(), value.clone());
        })
    }

    fn place(&mut self, id: &str, at: &Placement) -> Option<Now> {
        self.edit(id, |view| view.at = at.clone())
    }

    /// Takes over a change that an action has brought about, and says how what it changed is now.
    pub fn apply(&mut self, change: &Change) -> Option<Now> {
        match change {
            Change::Attribute {
                entity,
                name,
                value,
            } => self.attribute(entity, name, value),
            Change::Place { entity, at } => self.place(entity, at),
            Change::Flag { name, value } => self.take(Now::Flag(name.clone(), Some(*value))),
            Change::Spawn { id, name, kind, at } => {
                let view = EntityView {
                    name: if name.is_empty() { id } else { name }.clone(),
                    kind: kind.clone(),
                    at: at.clone(),
                    ..EntityView::default()
                };
                self.take(Now::Entity(id.clone(), Some(view)))
            }
        }
    }

    /// Takes over a write of the game, and says how what it wrote is now.
    pub fn apply_write(&mut self, write: &GameWrite) -> Option<Now> {
        match write {
            GameWrite::Flag { name, value } => self.take(Now::Flag(name.clone(), Some(*value))),
            GameWrite::Fact { key, value } => {
                self.take(Now::Fact(key.clone(), Some(value.clone())))
            }
            GameWrite::Attribute {
                entity,
                name,
                value,
            } => self.attribute(entity, name, value),
            GameWrite::Place { entity, at } => self.place(entity, at),
        }
    }
}

fn set_in<T: Clone + PartialEq>(
    map: &mut BTreeMap<String, T>,
    key: &str,
    value: Option<&T>,
) -> bool {
    if map.get(key) == value {
        return false;
    }
    match value {
        Some(value) => map.insert(key.to_owned(), value.clone()),
        None => map.remove(key),
    };
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> EntityView {
        EntityView {
            name: "door".into(),
            kind: "door".into(),
            at: Placement::In("tower".into()),
            ..EntityView::default()
        }
    }

    #[test]
    fn a_mirror_has_the_hash_of_what_it_mirrors_however_it_came_there() {
        let mut mirror = WorldMirror::default();
        let empty = mirror.digest();
        assert!(mirror.set(&Now::Entity("door".into(), Some(door()))));
        assert!(!mirror.set(&Now::Entity("door".into(), Some(door()))));
        let write = GameWrite::Attribute {
            entity: "door".into(),
            name: "open".into(),
            value: true.into(),
        };
        assert!(matches!(mirror.apply_write(&write), Some(Now::Entity(..))));
        mirror.set(&Now::Flag("night".into(), Some(true)));
        let again = WorldMirror::of(mirror.state().clone());
        assert_eq!(again.digest(), mirror.digest());
        mirror.set(&Now::Flag("night".into(), None));
        mirror.set(&Now::Entity("door".into(), None));
        assert_eq!(mirror.digest(), empty);
    }

    #[test]
    fn what_is_not_there_cannot_be_written_to() {
        let mut mirror = WorldMirror::default();
        let change = Change::Place {
            entity: "ghost".into(),
            at: Placement::Offstage,
        };
        assert_eq!(mirror.apply(&change), None);
    }
}
