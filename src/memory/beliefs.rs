//! Beliefs: what a character holds to be so. They may be wrong (contract row M3).

use super::episodes::MAX_MEMORY_CHARS;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use std::collections::BTreeMap;

/// How many beliefs a character keeps at most; a further one is refused ([`BeliefError::Full`]).
pub const BELIEF_CAP: usize = 200;
/// How many earlier forms of a belief are kept; the oldest goes first.
pub const BELIEF_HISTORY_CAP: usize = 8;

/// One belief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belief {
    /// What the character believes, 1 to 2,000 characters.
    pub text: String,
    /// How firmly, 0 to 1. Below 0.3 it is not retrieved.
    pub confidence: Millionths,
    /// Since when, in game time.
    pub since: GameTime,
    /// Whether it contradicts canon; prompts show it as uncertain then.
    pub contradicts_canon: bool,
    /// What was believed before, oldest first: text, confidence, since when.
    pub history: Vec<(String, Millionths, GameTime)>,
}

/// What a character begins to believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBelief<'a> {
    /// What it believes, 1 to 2,000 characters.
    pub text: &'a str,
    /// How firmly, 0 to 1.
    pub confidence: Millionths,
    /// Whether it contradicts canon.
    pub contradicts_canon: bool,
}

/// The beliefs of one character, by id. They are written by its files, by the game, and by replies that passed the gate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beliefs {
    map: BTreeMap<Id, Belief>,
}

/// Why a belief is not stored. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BeliefError {
    /// The text is empty or too long, or confidence lies outside 0-1.
    #[error("the belief \"{0}\" is corrupt: {1}")]
    Corrupt(Id, &'static str),
    /// There are [`BELIEF_CAP`] beliefs already.
    #[error("the character holds {BELIEF_CAP} beliefs already")]
    Full,
}

impl Beliefs {
    /// All beliefs, by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Id, &Belief)> {
        self.map.iter()
    }

    /// One belief.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Belief> {
        self.map.get(id)
    }

    /// Adds a belief or replaces the one with this id, whose earlier form goes into the history. `now` is the game time.
    ///
    /// # Errors
    /// See [`BeliefError`]; nothing has changed then.
    pub fn hold(&mut self, id: &Id, belief: NewBelief, now: GameTime) -> Result<(), BeliefError> {
        let NewBelief {
            text,
            confidence,
            contradicts_canon,
        } = belief;
        let corrupt = |why| Err(BeliefError::Corrupt(id.clone(), why));
        if text.trim().is_empty() {
            return corrupt("its text is empty");
        }
        if text.chars().count() > MAX_MEMORY_CHARS {
            return corrupt("its text is too long");
        }
        if !confidence.is_unit() {
            return corrupt("its confidence is outside 0-1");
        }
        let full = self.map.len() >= BELIEF_CAP;
        let mut history = Vec::new();
        match self.map.get_mut(id) {
            Some(old) => {
                history = std::mem::take(&mut old.history);
                history.push((old.text.clone(), old.confidence, old.since));
                let surplus = history.len().saturating_sub(BELIEF_HISTORY_CAP);
                history.drain(..surplus);
            }
            None if full => return Err(BeliefError::Full),
            None => {}
        }
        let belief = Belief {
            text: text.to_owned(),
            confidence,
            since: now,
            contradicts_canon,
            history,
        };
        self.map.insert(id.to_owned(), belief);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn new(text: &str, confidence: i64) -> NewBelief<'_> {
        NewBelief {
            text,
            confidence: Millionths(confidence),
            contradicts_canon: false,
        }
    }

    #[test]
    fn m3_replacing_a_belief_keeps_its_history_and_bounds_it() {
        let mut beliefs = Beliefs::default();
        for i in 0..20 {
            beliefs
                .hold(&id!("trust"), new(&format!("form {i}"), i), GameTime(i))
                .unwrap();
        }
        let belief = beliefs.get("trust").unwrap();
        assert_eq!(belief.text, "form 19");
        assert_eq!(belief.history.len(), BELIEF_HISTORY_CAP);
        assert_eq!(belief.history.last().unwrap().0, "form 18");
    }

    #[test]
    fn m3_a_full_mind_can_still_change_a_belief() {
        let mut beliefs = Beliefs::default();
        for i in 0..BELIEF_CAP {
            beliefs
                .hold(
                    &Id::new(format!("b{i}")).unwrap(),
                    new("x", 1_000_000),
                    GameTime(0),
                )
                .unwrap();
        }
        let one_more = beliefs.hold(&id!("new"), new("x", 1_000_000), GameTime(0));
        assert_eq!(one_more, Err(BeliefError::Full));
        assert!(
            beliefs
                .hold(&id!("b0"), new("y", 1_000_000), GameTime(0))
                .is_ok()
        );
    }
}
