//! Drift: how states change by themselves from turn to turn, as data.

use super::states::{MAX_LEVEL, StateEntry};
use crate::text::fold::fold;

pub use crate::authoring::adventure_settings::{Drift, DriftRate};

/// The category that lasting states move to.
const PERSISTENT: &str = "persistent";

impl Drift {
    fn rate(&self, category: &str) -> DriftRate {
        match fold(category).as_str() {
            "core" => self.core,
            PERSISTENT => self.persistent,
            "temporal" => self.temporal,
            _ => DriftRate::default(),
        }
    }

    /// The states of an actor after a turn. States that the game holds stay as they are. `slots` is how many persistent
    /// states are allowed.
    #[must_use]
    pub fn after_turn(&self, states: &[StateEntry], slots: usize) -> Vec<StateEntry> {
        let mut states: Vec<StateEntry> = states
            .iter()
            .filter_map(|state| {
                let rate = self.rate(&state.category);
                let level = match state.held {
                    true => state.level,
                    false => drifted(state.level, rate),
                };
                let gone = level == 0 && rate.per_turn < 0 && !state.held;
                (!gone).then(|| StateEntry {
                    level,
                    ..state.clone()
                })
            })
            .collect();
        for at in 0..states.len() {
            let persistent = states
                .iter()
                .filter(|state| fold(&state.category) == PERSISTENT);
            let room = persistent.count() < slots;
            let state = &states[at];
            let persists_from = self.rate(&state.category).persists_from;
            let known = states.iter().any(|other| {
                fold(&other.category) == PERSISTENT && fold(&other.label) == fold(&state.label)
            });
            if persists_from.is_some_and(|from| state.level >= from)
                && room
                && !known
                && !state.held
            {
                PERSISTENT.clone_into(&mut states[at].category);
            }
        }
        states
    }
}

fn drifted(level: u8, rate: DriftRate) -> u8 {
    match rate.per_turn {
        falls @ ..0 => level.saturating_sub(falls.unsigned_abs()),
        // What is higher than a level rises by itself does not fall.
        rises => level
            .saturating_add(rises.unsigned_abs())
            .min(rate.most.min(MAX_LEVEL))
            .max(level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(category: &str, label: &str, level: u8) -> StateEntry {
        StateEntry {
            label: label.to_owned(),
            category: category.to_owned(),
            level,
            held: false,
        }
    }

    const PROVEN: Drift = Drift {
        core: DriftRate {
            per_turn: 2,
            most: 30,
            persists_from: None,
        },
        persistent: DriftRate {
            per_turn: 1,
            most: 20,
            persists_from: None,
        },
        temporal: DriftRate {
            per_turn: -1,
            most: 30,
            persists_from: Some(20),
        },
    };

    fn after(states: &[StateEntry], slots: usize) -> Vec<(String, String, u8)> {
        let after = PROVEN.after_turn(states, slots).into_iter();
        after
            .map(|state| (state.category, state.label, state.level))
            .collect()
    }

    fn row(category: &str, label: &str, level: u8) -> (String, String, u8) {
        (category.to_owned(), label.to_owned(), level)
    }

    #[test]
    fn t5_states_drift_by_category_within_their_caps() {
        let states = [
            state("core", "proud", 29),
            state("persistent", "tired", 20),
            state("persistent", "lame", 25),
            state("temporal", "wary", 1),
            state("temporal", "cold", 7),
            state("odd", "other", 3),
        ];
        let expected = [
            row("core", "proud", 30),
            row("persistent", "tired", 20),
            row("persistent", "lame", 25),
            row("temporal", "cold", 6),
            row("odd", "other", 3),
        ];
        assert_eq!(after(&states, 10), expected);
    }

    #[test]
    fn t5_what_is_strong_becomes_persistent_while_there_is_room() {
        let states = [
            state("temporal", "afraid", 22),
            state("temporal", "sad", 20),
        ];
        let expected = [row("persistent", "afraid", 21), row("temporal", "sad", 19)];
        assert_eq!(after(&states, 10), expected);
        let full = [
            state("persistent", "lame", 5),
            state("temporal", "afraid", 30),
        ];
        assert_eq!(after(&full, 1)[1], row("temporal", "afraid", 29));
    }

    #[test]
    fn t6_what_is_held_does_not_drift() {
        let held = StateEntry {
            held: true,
            ..state("temporal", "wary", 1)
        };
        let own = std::slice::from_ref(&held);
        assert_eq!(PROVEN.after_turn(own, 10), own);
        assert_eq!(
            Drift::default().after_turn(&[state("core", "a", 9)], 3)[0].level,
            9
        );
    }
}
