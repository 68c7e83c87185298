//! A part of the judged world with the state that it is in: what a journal keeps as rows, and puts back.
//!
//! A [`WorldChange`](crate::judged_world::change::WorldChange) says what becomes different; a `WorldPart` says how one thing is,
//! wholly, whatever it was before. Both are needed: what an action or the game does is a change, and is told as one;
//! what a game's own systems did in place is only seen afterwards, as a part that is different now, and things may be
//! gone, which no change says.

use super::value::WorldValue;
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::judged_world::change::digest::{entity_digest, location_digest};
use crate::judged_world::state::{EntityView, LocationView, WorldState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How one part of the judged world is. `None` means that it is not there (any more).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum WorldPart {
    /// The entity with this id. A location is none.
    Entity(Id, Option<EntityView>),
    /// The location with this id.
    Location(Id, Option<LocationView>),
    /// The flag of this name. A flag that was never set or cleared is not there.
    Flag(String, Option<bool>),
    /// The world fact of this key.
    Fact(String, Option<WorldValue>),
    /// Whose turn it is, by id. `None` where turns do not matter.
    TurnOf(Option<Id>),
}

impl WorldPart {
    /// Whether it is not there. Whose turn it is is always something.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Entity(_, None)
                | Self::Location(_, None)
                | Self::Flag(_, None)
                | Self::Fact(_, None)
        )
    }

    /// What kind of part it is, as files name it, and which one of its kind: its id, name or key; empty for whose turn it is.
    #[must_use]
    pub fn name(&self) -> (&'static str, &str) {
        match self {
            Self::Entity(id, _) => ("entity", id),
            Self::Location(id, _) => ("location", id),
            Self::Flag(name, _) => ("flag", name),
            Self::Fact(key, _) => ("fact", key),
            Self::TurnOf(_) => ("turn_of", ""),
        }
    }

    /// What an entity or a location that is there adds to the world's hash; none for all else.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Self::Entity(id, view) => view.as_ref().map(|view| entity_digest(id, view)),
            Self::Location(id, view) => view.as_ref().map(|view| location_digest(id, view)),
            Self::Flag(..) | Self::Fact(..) | Self::TurnOf(_) => None,
        }
    }
}

impl WorldState {
    /// Writes this part into the world, and returns the part as it was before; `None` when nothing is different.
    pub(crate) fn set(&mut self, part: &WorldPart) -> Option<WorldPart> {
        match part {
            WorldPart::Entity(id, view) => set_in(&mut self.entities, id, view.as_ref())
                .map(|before| WorldPart::Entity(id.clone(), before)),
            WorldPart::Location(id, view) => set_in(&mut self.locations, id, view.as_ref())
                .map(|before| WorldPart::Location(id.clone(), before)),
            WorldPart::Flag(name, value) => set_in(&mut self.flags, name, value.as_ref())
                .map(|before| WorldPart::Flag(name.clone(), before)),
            WorldPart::Fact(key, value) => set_in(&mut self.facts, key, value.as_ref())
                .map(|before| WorldPart::Fact(key.clone(), before)),
            WorldPart::TurnOf(actor) if self.turn_of == *actor => None,
            WorldPart::TurnOf(actor) => {
                let before = std::mem::replace(&mut self.turn_of, actor.clone());
                Some(WorldPart::TurnOf(before))
            }
        }
    }
}

/// Puts a value into a map, or takes it out. Returns what was there before, when that was something else.
fn set_in<K: Clone + Ord, T: Clone + PartialEq>(
    map: &mut BTreeMap<K, T>,
    key: &K,
    value: Option<&T>,
) -> Option<Option<T>> {
    if map.get(key) == value {
        return None;
    }
    Some(match value {
        Some(value) => map.insert(key.clone(), value.clone()),
        None => map.remove(key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    #[test]
    fn setting_a_part_tells_what_was_there_before() {
        let mut world = WorldState::default();
        let night = |value| WorldPart::Flag("night".into(), value);
        assert_eq!(world.set(&night(Some(true))), Some(night(None)));
        assert_eq!(world.set(&night(Some(true))), None);
        assert_eq!(world.set(&night(None)), Some(night(Some(true))));
        assert_eq!(world, WorldState::default());
    }

    #[test]
    fn parts_are_written_as_journals_write_them() {
        let written = |part| serde_json::to_string(&part).unwrap();
        assert_eq!(
            written(WorldPart::Flag("night".into(), Some(true))),
            r#"{"flag":["night",true]}"#
        );
        assert_eq!(
            written(WorldPart::Entity(id!("door"), None)),
            r#"{"entity":["door",null]}"#
        );
        assert_eq!(written(WorldPart::TurnOf(None)), r#"{"turn_of":null}"#);
    }
}
