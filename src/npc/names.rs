//! The names that are known as speakers.

use crate::world::{JudgedChange, WorldChange};
use bevy::prelude::*;

/// The names and ids of the characters that have lived so far: a leading `Name:` of a reply that is one of them is a
/// speaker label, not speech (G1).
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub struct KnownNames(pub Vec<String>);

impl KnownNames {
    /// Adds a name. A name that is empty, or known already, changes nothing.
    pub fn add(&mut self, name: &str) {
        if !name.is_empty() && !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }
}

/// Learns the names of those who have just been introduced.
pub(crate) fn learn_names(world: &mut World, changes: &[JudgedChange]) {
    for change in changes {
        if let WorldChange::Spawn { id, name, .. } = change.change() {
            let mut names = world.get_resource_or_init::<KnownNames>();
            names.add(name);
            names.add(id);
        }
    }
}
