//! A copy of the judged world as plain data, kept in step change by change: what a journal has written down so far.

use super::digest::{entity_digest, location_digest, world_digest};
use crate::base::canonical::{Digest, DigestSum};
use crate::base::ids::Id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::state::WorldState;
use crate::judged_world::state::part::WorldPart;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A copy of the judged world, with its hash.
#[derive(Debug, Clone, Default)]
pub struct WorldMirror {
    state: WorldState,
    /// The digests of its entities, by their ids.
    entities: BTreeMap<Id, Digest>,
    /// Those of its locations.
    locations: BTreeMap<Id, Digest>,
    /// The sum of all of them.
    sum: DigestSum,
    /// The hash of the whole, until something changes.
    digest: OnceLock<Digest>,
}

impl WorldMirror {
    /// A mirror that begins as a copy of this world.
    #[must_use]
    pub fn of(state: WorldState) -> Self {
        let entities = state.entities.iter();
        let entities: BTreeMap<Id, Digest> = entities
            .map(|(id, view)| (id.clone(), entity_digest(id, view)))
            .collect();
        let locations = state.locations.iter();
        let locations: BTreeMap<Id, Digest> = locations
            .map(|(id, view)| (id.clone(), location_digest(id, view)))
            .collect();
        let mut sum = DigestSum::default();
        for digest in entities.values().chain(locations.values()) {
            sum.add(*digest);
        }
        Self {
            state,
            entities,
            locations,
            sum,
            digest: OnceLock::new(),
        }
    }

    /// The copy, with all that was taken over so far.
    #[must_use]
    pub fn state(&self) -> &WorldState {
        &self.state
    }

    /// The sum of the digests of its entities and locations: `WorldTracker::sum` of the same world is
    /// the same.
    pub(crate) fn things(&self) -> DigestSum {
        self.sum
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
        *self
            .digest
            .get_or_init(|| world_digest(self.sum, flags, facts, turn_of.as_deref()))
    }

    /// Takes over how something is now. Returns false when nothing is different.
    pub(crate) fn set(&mut self, part: &WorldPart) -> bool {
        if self.state.set(part).is_none() {
            return false;
        }
        self.digest.take();
        let (digests, id) = match part {
            WorldPart::Entity(id, _) => (&mut self.entities, id),
            WorldPart::Location(id, _) => (&mut self.locations, id),
            WorldPart::Flag(..) | WorldPart::Fact(..) | WorldPart::TurnOf(_) => return true,
        };
        let before = match part.digest() {
            Some(digest) => {
                self.sum.add(digest);
                digests.insert(id.clone(), digest)
            }
            None => digests.remove(id),
        };
        if let Some(digest) = before {
            self.sum.remove(digest);
        }
        true
    }

    /// Takes over a change that has happened, and says how the part that it concerns is now. `None` when it changes
    /// nothing here (see [`WorldChange::outcome`]).
    pub(crate) fn change(&mut self, change: &WorldChange) -> Option<WorldPart> {
        let part = change.outcome(|id| self.state.entities.get(id).cloned())?;
        self.set(&part);
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::judged_world::{EntityView, Placement};

    fn door() -> EntityView {
        EntityView {
            name: "door".into(),
            kind: "door".into(),
            at: Placement::In(id!("tower")),
            ..EntityView::default()
        }
    }

    #[test]
    fn a_mirror_has_the_hash_of_what_it_mirrors_however_it_came_there() {
        let mut mirror = WorldMirror::default();
        let empty = mirror.digest();
        assert!(mirror.set(&WorldPart::Entity(id!("door"), Some(door()))));
        assert!(!mirror.set(&WorldPart::Entity(id!("door"), Some(door()))));
        let write = WorldChange::Attribute {
            entity: id!("door"),
            name: "open".into(),
            value: true.into(),
        };
        assert!(matches!(mirror.change(&write), Some(WorldPart::Entity(..))));
        mirror.set(&WorldPart::Flag("night".into(), Some(true)));
        let again = WorldMirror::of(mirror.state().clone());
        assert_eq!(again.digest(), mirror.digest());
        mirror.set(&WorldPart::Flag("night".into(), None));
        mirror.set(&WorldPart::Entity(id!("door"), None));
        assert_eq!(mirror.digest(), empty);
    }

    #[test]
    fn what_is_not_there_cannot_be_written_to() {
        let mut mirror = WorldMirror::default();
        let change = WorldChange::Place {
            entity: id!("ghost"),
            at: Placement::Offstage,
        };
        assert_eq!(mirror.change(&change), None);
    }
}
