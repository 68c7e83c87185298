//! States: what a persona or a character is like now, as levels from 0 to 30.

use crate::base::ids::Id;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::memory::state_slots::room_for;
use crate::text::fold::fold;

pub use crate::memory::mind::MAX_STATE_LEVEL as MAX_LEVEL;
/// From this level on a state is manifest: the intent of its owner and the narrator see it. Below this level, only extractors
/// see it.
pub const MANIFEST: u8 = 6;
pub(crate) use crate::memory::state_slots::StateError;
pub use crate::memory::state_slots::{PERSISTENT_SLOTS, SLOTS};

/// One state: a label in a category, with its level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Reflect)]
pub struct StateEntry {
    /// Its name, such as `wary`. Compared folded.
    pub label: String,
    /// Its category: `core`, `persistent`, `temporal`, or one that the author made up.
    pub category: String,
    /// How strong it is, 0 to 30.
    pub level: u8,
    /// Whether the game holds it: no extractor may change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
}

impl StateEntry {
    /// Whether its owner and the narrator know of it.
    #[must_use]
    pub fn is_manifest(&self) -> bool {
        self.level >= MANIFEST
    }

    /// Whether it has this category and label, compared folded.
    pub(super) fn is(&self, category: &str, label: &str) -> bool {
        fold(&self.label) == fold(label) && fold(&self.category) == fold(category)
    }
}

/// Sets or changes the level of a state, as `level` says: it stays between 0 and [`MAX_LEVEL`]. A state that is not there is
/// made, from level 0.
///
/// # Errors
/// `StateError` when there is no room for it, or no such category. Nothing has changed then.
pub(crate) fn write_state(
    states: &mut Vec<StateEntry>,
    category: &str,
    label: &str,
    change: LevelChange,
) -> Result<u8, StateError> {
    if let Some(state) = states.iter_mut().find(|state| state.is(category, label)) {
        state.level = change.apply(state.level);
        return Ok(state.level);
    }
    room_for(states.iter().map(|state| state.category.as_str()), category)?;
    let level = change.apply(0);
    states.push(StateEntry {
        label: label.trim().to_owned(),
        category: category.to_owned(),
        level,
        held: false,
    });
    Ok(level)
}

/// How a level changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelChange {
    /// It becomes this level.
    Set(u8),
    /// It rises by this number of levels, or falls where the number is negative.
    By(i64),
}

impl LevelChange {
    fn apply(self, level: u8) -> u8 {
        let wanted = match self {
            Self::Set(level) => i64::from(level),
            Self::By(by) => i64::from(level).saturating_add(by),
        };
        u8::try_from(wanted.clamp(0, i64::from(MAX_LEVEL))).unwrap_or_default()
    }
}

/// What templates need of a character that a player plays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Persona {
    /// A text that says who it is. Empty where the story has none.
    pub description: String,
    /// Its current states, the oldest first. Extractors and the game write them.
    pub states: Vec<StateEntry>,
}

/// The characters that players play, by id. They never act by themselves.
#[derive(Resource, Debug, Clone, Default)]
pub struct Personas(pub BTreeMap<Id, Persona>);

/// The current states of a character or a persona, on its entity, the oldest first. The plugin writes
/// it when they change: a character's at once, a persona's by the end of the frame. An entity that never had a state has
/// none. It is for reading: a game sets a state with [`MindChange::State`](crate::npc::MindChange::State).
#[derive(Component, Debug, Clone, PartialEq, Eq, Default, Reflect)]
#[component(immutable)]
#[reflect(Component)]
pub struct CurrentStates(pub Vec<StateEntry>);

#[cfg(test)]
mod tests {
    use super::*;

    fn state(label: &str, category: &str, level: u8) -> StateEntry {
        StateEntry {
            label: label.to_owned(),
            category: category.to_owned(),
            level,
            held: false,
        }
    }

    #[test]
    fn t5_levels_have_a_threshold() {
        assert!(!state("wary", "temporal", 5).is_manifest());
        assert!(state("wary", "temporal", 6).is_manifest());
    }

    #[test]
    fn t6_labels_are_compared_folded_and_levels_stay_in_range() {
        let mut states = vec![state("Angry", "temporal", 5)];
        assert_eq!(
            write_state(&mut states, "temporal", "angry", LevelChange::Set(12)),
            Ok(12)
        );
        assert_eq!(
            write_state(&mut states, "temporal", "ANGRY", LevelChange::By(99)),
            Ok(30)
        );
        assert_eq!(
            write_state(&mut states, "temporal", "angry", LevelChange::By(i64::MIN)),
            Ok(0)
        );
        assert_eq!(states.len(), 1);
    }

    #[test]
    fn t6_a_category_has_its_slots() {
        let mut states = Vec::new();
        for label in ["a", "b", "c"] {
            write_state(&mut states, "core", label, LevelChange::By(3)).unwrap();
        }
        let full = write_state(&mut states, "core", "d", LevelChange::Set(1));
        assert_eq!(full, Err(StateError::Full(3, "core".into())));
        assert!(write_state(&mut states, "core", "a", LevelChange::Set(1)).is_ok());
        assert!(write_state(&mut states, "weird", "d", LevelChange::Set(1)).is_err());
    }
}
