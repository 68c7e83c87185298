//! Beliefs: what a character holds to be true. They may be wrong.

use super::episode::MAX_MEMORY_CHARS;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::text::Lexicon;
use crate::text::terms::TermRules;
use crate::text::twin::twin_key;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many earlier forms of a belief are kept; the oldest goes first.
pub const BELIEF_HISTORY_CAP: usize = 8;

/// One belief of a character: what it holds to be true, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belief {
    /// What the character believes, 1 to 2,000 characters.
    pub text: String,
    /// How firmly, 0 to 1. Below 0.3 it is not retrieved.
    pub confidence: Millionths,
    /// The game time at which this form of it was written.
    pub since: GameTime,
    /// Whether it contradicts canon; prompts show it as uncertain then.
    pub contradicts_canon: bool,
    /// Whether it never makes room for another one when there are too many.
    pub pinned: bool,
    /// Whether only a model has ever written it. Such a belief makes room first.
    pub from_model: bool,
    /// What was believed before, oldest first: text, confidence, since when.
    pub history: Vec<(String, Millionths, GameTime)>,
}

/// What a character begins to believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NewBelief<'a> {
    /// What it believes, 1 to 2,000 characters.
    pub text: &'a str,
    /// How firmly, 0 to 1. A belief outside of that is refused as corrupt.
    pub confidence: Millionths,
    /// Whether it contradicts canon. Prompts show such a belief as uncertain.
    pub contradicts_canon: bool,
    /// Whether it never makes room for another one. One that was pinned stays so.
    pub pinned: bool,
}

/// The beliefs of one character, by id. They are written by its files, by the game, and by replies that passed the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beliefs {
    cap: usize,
    map: BTreeMap<Id, Belief>,
    /// The ids of those that hold a term: what a search looks at.
    postings: BTreeMap<String, BTreeSet<Id>>,
    rules: Arc<TermRules>,
}

/// Why a belief is not stored. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum BeliefError {
    /// The text is empty or too long, or confidence lies outside 0-1.
    #[error("the belief \"{0}\" is corrupt: {1}")]
    Corrupt(Id, &'static str),
    /// There are as many beliefs as the character keeps, and all of them are pinned; or, for one that a model wrote, are pinned or
    /// the designer's or the game's.
    #[error(
        "the character holds as many beliefs as it can: none of them may be removed for this one"
    )]
    Full,
}

impl Default for Beliefs {
    fn default() -> Self {
        Self {
            cap: Limits::DEFAULT.beliefs,
            map: BTreeMap::new(),
            postings: BTreeMap::new(),
            rules: Lexicon::english_term_rules().clone(),
        }
    }
}

impl Beliefs {
    /// The most beliefs that are kept.
    #[must_use]
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// How many are kept from now on. Surplus ones leave when the next one comes.
    pub(super) fn keep_to(&mut self, cap: usize) {
        self.cap = cap;
    }

    /// Their words are compared in this way from now on.
    pub(super) fn compare_by(&mut self, rules: &Arc<TermRules>) {
        if self.rules == *rules {
            return;
        }
        self.postings.clear();
        for (id, belief) in &self.map {
            for term in rules.terms(&belief.text) {
                self.postings.entry(term).or_default().insert(id.clone());
            }
        }
        self.rules = rules.clone();
    }

    /// All beliefs with their ids, in order of the ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Id, &Belief)> {
        self.map.iter()
    }

    /// The belief with this id; `None` when the character has none.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Belief> {
        self.map.get(id)
    }

    /// Adds a belief or replaces the one with this id, whose earlier form goes into the history. `now` is the game time.
    ///
    /// Where there are [`Beliefs::cap`] already, one leaves: first of those that only a model wrote, then of the others, the one of
    /// least confidence; of several the one that was written first, then by id; never a pinned one.
    ///
    /// # Errors
    /// See `BeliefError`; nothing has changed then.
    pub(crate) fn hold(
        &mut self,
        id: &Id,
        belief: NewBelief,
        now: GameTime,
    ) -> Result<(), BeliefError> {
        self.hold_as(id, belief, false, now)
    }

    /// The same for a belief that a model wrote: it pushes out nothing that the designer or the game wrote, and an id that is
    /// read like one that is there is that one.
    ///
    /// # Errors
    /// See `BeliefError`; nothing has changed then.
    pub(crate) fn hold_from_model(
        &mut self,
        id: &Id,
        belief: NewBelief,
        now: GameTime,
    ) -> Result<(), BeliefError> {
        let twin = || {
            let key = twin_key(id);
            let twin = self.map.keys().find(|known| twin_key(known) == key);
            twin.cloned()
        };
        let id = match self.map.contains_key(id) {
            true => id.clone(),
            false => twin().unwrap_or_else(|| id.clone()),
        };
        self.hold_as(&id, belief, true, now)
    }

    pub(super) fn hold_as(
        &mut self,
        id: &Id,
        belief: NewBelief,
        mut from_model: bool,
        now: GameTime,
    ) -> Result<(), BeliefError> {
        let NewBelief {
            text,
            confidence,
            contradicts_canon,
            pinned,
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
        let mut history = Vec::new();
        let mut was_pinned = false;
        let is_same = self.map.get(id).is_some_and(|old| old.text == text);
        let old = match is_same {
            // Its words are known.
            true => self.map.remove(id),
            false => self.forget(id),
        };
        if let Some(old) = old {
            was_pinned = old.pinned;
            from_model &= old.from_model;
            history = old.history;
            history.push((old.text, old.confidence, old.since));
            let surplus = history.len().saturating_sub(BELIEF_HISTORY_CAP);
            history.drain(..surplus);
        } else {
            self.make_room(from_model)?;
        }
        if !is_same {
            for word in self.rules.terms(text) {
                let holding = self.postings.entry(word).or_default();
                holding.insert(id.clone());
            }
        }
        let belief = Belief {
            text: text.to_owned(),
            confidence,
            since: now,
            contradicts_canon,
            pinned: pinned || was_pinned,
            from_model,
            history,
        };
        self.map.insert(id.clone(), belief);
        Ok(())
    }

    /// Takes a belief away, and returns what it was.
    pub fn forget(&mut self, id: &Id) -> Option<Belief> {
        let old = self.map.remove(id)?;
        for word in self.rules.terms(&old.text) {
            if let Some(holding) = self.postings.get_mut(&word) {
                holding.remove(id);
                if holding.is_empty() {
                    self.postings.remove(&word);
                }
            }
        }
        Some(old)
    }

    /// Lets the weakest go until there is room for one more. Nothing goes where those that stay take all the room.
    fn make_room(&mut self, for_model: bool) -> Result<(), BeliefError> {
        let stays = |belief: &&Belief| belief.pinned || for_model && !belief.from_model;
        if self.map.len() >= self.cap && self.map.values().filter(stays).count() >= self.cap {
            return Err(BeliefError::Full);
        }
        while self.map.len() >= self.cap {
            let free = self.map.iter().filter(|(_, belief)| !stays(belief));
            // What only a model wrote goes first.
            let weakest = free.min_by_key(|(id, belief)| {
                (!belief.from_model, belief.confidence, belief.since, *id)
            });
            let Some(weakest) = weakest.map(|(id, _)| id.clone()) else {
                break;
            };
            self.forget(&weakest);
        }
        Ok(())
    }

    /// The ids of the beliefs that hold a folded word.
    pub(super) fn holding(&self, word: &str) -> impl Iterator<Item = &Id> {
        self.postings.get(word).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    const BELIEF_CAP: usize = Limits::DEFAULT.beliefs;

    fn new(text: &str, confidence: i64) -> NewBelief<'_> {
        NewBelief {
            text,
            confidence: Millionths(confidence),
            contradicts_canon: false,
            pinned: false,
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
        let changed = beliefs.hold(&id!("b0"), new("y", 1_000_000), GameTime(1));
        assert_eq!(changed, Ok(()));
        assert_eq!(beliefs.iter().len(), BELIEF_CAP);
    }

    #[test]
    fn m1_what_a_model_believes_pushes_out_nothing_that_others_wrote() {
        let mut beliefs = Beliefs::default();
        beliefs.keep_to(3);
        let now = GameTime(0);
        let held = |beliefs: &Beliefs| -> Vec<String> {
            beliefs.iter().map(|(id, _)| id.to_string()).collect()
        };
        beliefs.hold(&id!("a"), new("authored", 10), now).unwrap();
        for id in ["m1", "m2", "m3", "m4"] {
            let id = Id::new(id).unwrap();
            beliefs
                .hold_from_model(&id, new("x", 1_000_000), now)
                .unwrap();
        }
        assert_eq!(held(&beliefs), ["a", "m3", "m4"]);
        // Another form of an authored belief is still the designer's.
        beliefs
            .hold_from_model(&id!("a"), new("changed", 10), now)
            .unwrap();
        beliefs.hold(&id!("b"), new("game", 10), now).unwrap();
        beliefs.hold(&id!("c"), new("game", 20), now).unwrap();
        assert_eq!(held(&beliefs), ["a", "b", "c"]);
        let refused = beliefs.hold_from_model(&id!("m5"), new("x", 1_000_000), now);
        assert_eq!(refused, Err(BeliefError::Full));
        beliefs.hold(&id!("d"), new("game", 20), now).unwrap();
        assert_eq!(held(&beliefs), ["b", "c", "d"]);
    }

    #[test]
    fn m3_the_weakest_belief_makes_room_and_a_pinned_one_never_does() {
        let numbered = |i: usize| Id::new(format!("b{i:03}")).unwrap();
        let mut beliefs = Beliefs::default();
        for i in 0..BELIEF_CAP {
            // The last one is the weakest, and pinned; before it come two that are equally weak.
            let confidence =
                [900_000, 100_000, 50_000][usize::from(i >= 198) + usize::from(i == 199)];
            let belief = NewBelief {
                pinned: i == 199,
                ..new(
                    "the moon is cheese",
                    if i == 3 { 100_000 } else { confidence },
                )
            };
            let now = GameTime(i64::try_from(i).unwrap());
            beliefs.hold(&numbered(i), belief, now).unwrap();
        }
        beliefs
            .hold(&id!("new"), new("x", 10_000), GameTime(900))
            .unwrap();
        assert!(
            beliefs.get("b003").is_none(),
            "the older of the two weak ones"
        );
        assert!(beliefs.get("b198").is_some() && beliefs.get("b199").is_some());
        beliefs
            .hold(&id!("newer"), new("x", 10_000), GameTime(901))
            .unwrap();
        assert!(beliefs.get("new").is_none(), "a new one is as good as any");
        assert_eq!(beliefs.iter().len(), BELIEF_CAP);
        // What has gone is found by none of its words.
        assert_eq!(beliefs.holding("moon").count(), BELIEF_CAP - 1);

        let mut pinned = Beliefs::default();
        for i in 0..BELIEF_CAP {
            let belief = NewBelief {
                pinned: true,
                ..new("x", 0)
            };
            pinned.hold(&numbered(i), belief, GameTime(0)).unwrap();
            // Another form of it stays pinned.
            pinned.hold(&numbered(i), new("y", 0), GameTime(0)).unwrap();
        }
        let one_more = pinned.hold(&id!("new"), new("x", 1_000_000), GameTime(0));
        assert_eq!(one_more, Err(BeliefError::Full));
    }
}
