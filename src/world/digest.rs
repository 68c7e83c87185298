//! The hash of the judged world as a sum, so that a change costs no more than the thing that it changes.

use super::state::{EntityView, LocationView};
use super::value::WorldValue;
use crate::base::canonical::Digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The sum of the digests of all entities and locations: it depends on no order, and what changes is taken out as it was
/// and added as it is. Digests are summed as four numbers of 64 bits that wrap around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DigestSum([u64; 4]);

impl DigestSum {
    /// Adds the digest of something that is there from now on.
    pub fn add(&mut self, digest: Digest) {
        self.combine(digest, u64::wrapping_add);
    }

    /// Takes out the digest of something that is gone. It must be the digest with which it was added.
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

    /// The hash of a world whose entities and locations sum up to this.
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

/// The digest of an entity: all that rules may know of it, and its id.
#[must_use]
pub fn entity_digest(id: &str, view: &EntityView) -> Digest {
    Digest::of(&json!({"id": id, "entity": view.to_json(), "aliases": view.aliases}))
}

/// The digest of a location: all that rules may know of it, and its id.
#[must_use]
pub fn location_digest(id: &str, view: &LocationView) -> Digest {
    Digest::of(&json!({"id": id, "name": view.name, "roads": view.connected_to}))
}
