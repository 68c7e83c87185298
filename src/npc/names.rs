//! The names that are known as speakers.

use super::components::LoadedCharacter;
use crate::proposal::LabelNames;
use crate::world::{Aliases, DisplayName, JudgedChange, WorldChange};
use bevy::prelude::*;

/// The most names that are known at a time.
pub const MAX_KNOWN_NAMES: usize = 4_096;

/// The names, other names and ids of the characters that have lived so far: where a line of a reply begins with one of them and
/// a colon, that character speaks. At most 4,096; if there are more, the code forgets the one that it learned first.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub(crate) struct KnownNames {
    names: Vec<String>,
    labels: LabelNames,
    learned: usize,
}

impl KnownNames {
    /// Adds a name. A name that is empty, or known already, changes nothing.
    pub fn add(&mut self, name: &str) {
        if name.is_empty() || self.names.iter().any(|known| known == name) {
            return;
        }
        self.names.push(name.to_owned());
        self.labels.add(name);
        self.learned += 1;
        let surplus = self.names.len().saturating_sub(MAX_KNOWN_NAMES);
        if surplus > 0 {
            self.names.drain(..surplus);
            self.labels = self.names.iter().map(String::as_str).collect();
        }
    }

    /// The same as the labels of lines.
    #[must_use]
    pub(crate) fn labels(&self) -> &LabelNames {
        &self.labels
    }

    /// All of them, in the order in which they became known.
    #[must_use]
    pub fn all(&self) -> &[String] {
        &self.names
    }

    /// How many names were learned since this was made, forgotten ones too: another number, another list.
    pub(crate) fn learned(&self) -> usize {
        self.learned
    }
}

impl FromIterator<String> for KnownNames {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut known = Self::default();
        names.into_iter().for_each(|name| known.add(&name));
        known
    }
}

/// The names under which a character or a player may label its own lines.
pub(crate) fn own_names(world: &World, npc: Entity) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(loaded) = world.get::<LoadedCharacter>(npc) {
        names.extend([loaded.0.name.clone(), loaded.0.id.to_string()]);
    }
    names.extend(world.get::<DisplayName>(npc).map(|name| name.0.clone()));
    if let Some(aliases) = world.get::<Aliases>(npc) {
        names.extend(aliases.0.iter().cloned());
    }
    names
}

/// Learns the names of an entity that speaks, such as a player that the game has spawned.
pub(super) fn learn_names_of(world: &mut World, speaker: Entity) {
    let known = world.get_resource::<KnownNames>();
    let is_new = |name: &&String| known.is_none_or(|known| !known.names.contains(name));
    let name = world.get::<DisplayName>(speaker).map(|name| &name.0);
    let aliases = world.get::<Aliases>(speaker).map(|aliases| &aliases.0);
    let own = name.into_iter().chain(aliases.into_iter().flatten());
    let new: Vec<String> = own.filter(is_new).cloned().collect();
    for name in new {
        world.get_resource_or_init::<KnownNames>().add(&name);
    }
}

/// Learns the names of the characters that have just been introduced.
pub(crate) fn learn_names(world: &mut World, changes: &[JudgedChange]) {
    for change in changes {
        if let WorldChange::Spawn { id, name, .. } = change.change() {
            let mut names = world.get_resource_or_init::<KnownNames>();
            names.add(name);
            names.add(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_known_names_are_bounded() {
        let mut names: KnownNames = (0..MAX_KNOWN_NAMES).map(|i| i.to_string()).collect();
        names.add("7");
        assert_eq!(
            (names.all().len(), names.learned()),
            (MAX_KNOWN_NAMES, MAX_KNOWN_NAMES)
        );
        names.add("Ann");
        assert_eq!(names.all().len(), MAX_KNOWN_NAMES);
        assert_eq!(names.all()[0], "1", "the oldest is forgotten");
        assert_eq!(names.all().last().map(String::as_str), Some("Ann"));
        assert_eq!(names.learned(), MAX_KNOWN_NAMES + 1);
    }
}
