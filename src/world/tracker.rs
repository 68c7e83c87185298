//! What is known of the whole judged world without looking at all of it: its hash, what everything is called, and what
//! waits offstage. `refresh` keeps it in step.

use crate::base::canonical::{Digest, DigestSum};
use crate::base::ids::Id;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// One entity or location, as it was when it was last looked at.
#[derive(Debug)]
pub(super) struct TrackedEntity {
    /// Its id.
    pub id: Id,
    /// The hash of all that is judged of it.
    pub digest: Digest,
    /// The [`name_key`](crate::judged_world::words::name_key::name_key)s and [`twin_key`](crate::text::twin::twin_key)s of its id, its name and its aliases.
    pub names: BTreeSet<String>,
    /// Whether it is an entity that is nowhere in play.
    pub offstage: bool,
}

/// The hash, the names and the offstage of the judged world. `refresh` brings it up to date.
///
/// The hash depends neither on the order in which entities were spawned nor on their [`Entity`] ids.
#[derive(Resource, Default)]
pub(crate) struct WorldTracker {
    tracked: BTreeMap<Entity, TrackedEntity>,
    sum: DigestSum,
    /// Ids by what they are called.
    names: BTreeMap<String, BTreeSet<Id>>,
    offstage: BTreeSet<Id>,
    /// The world's tick at the last look; none before the first.
    pub(super) seen: Option<Tick>,
    /// The ids of what has changed; `None` while no code wants to know them.
    touched: Option<BTreeSet<Id>>,
}

impl WorldTracker {
    /// The ids of everything whose id, name or alias has this [`name_key`](crate::judged_world::words::name_key::name_key), or this
    /// [`twin_key`](crate::text::twin::twin_key).
    pub(super) fn named(&self, wanted: &str) -> Vec<Id> {
        let ids = self.names.get(wanted);
        ids.into_iter().flatten().cloned().collect()
    }

    /// The ids of the entities that are nowhere in play, in order of the alphabet.
    pub(super) fn offstage(&self) -> Vec<Id> {
        self.offstage.iter().cloned().collect()
    }

    /// The sum of the digests of everything there is.
    pub(crate) fn sum(&self) -> DigestSum {
        self.sum
    }

    /// From now on, keeps the ids of what changes for `WorldTracker::take_touched`.
    pub(crate) fn keep_touched(&mut self) {
        self.touched.get_or_insert_default();
    }

    /// The ids of what has changed since the last call.
    pub(crate) fn take_touched(&mut self) -> BTreeSet<Id> {
        self.touched
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Forgets what was known of an entity.
    pub(super) fn forget(&mut self, entity: Entity) {
        let Some(old) = self.tracked.remove(&entity) else {
            return;
        };
        self.touch(&old.id);
        self.sum.remove(old.digest);
        self.offstage.remove(&old.id);
        for name in &old.names {
            if let Some(ids) = self.names.get_mut(name) {
                ids.remove(&old.id);
                if ids.is_empty() {
                    self.names.remove(name);
                }
            }
        }
    }

    /// Takes in what is known of an entity now. What was known before must have been forgotten.
    pub(super) fn learn(&mut self, entity: Entity, new: TrackedEntity) {
        self.touch(&new.id);
        self.sum.add(new.digest);
        for name in &new.names {
            let ids = self.names.entry(name.clone()).or_default();
            ids.insert(new.id.clone());
        }
        if new.offstage {
            self.offstage.insert(new.id.clone());
        }
        self.tracked.insert(entity, new);
    }

    fn touch(&mut self, id: &Id) {
        if let Some(touched) = &mut self.touched {
            touched.insert(id.clone());
        }
    }
}
