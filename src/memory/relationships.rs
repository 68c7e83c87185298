//! Relationships: what a character thinks of others. They change slowly, whatever a reply says.

use super::episode::MAX_MEMORY_CHARS;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The most by which one reply may change one part of a relationship, up or down: 0.2.
pub const MAX_CHANGE: Millionths = Millionths(200_000);
/// How many causes of a relationship are kept.
pub const MAX_CAUSES: usize = 8;
/// The most relationships that a character can have.
pub const RELATIONSHIP_CAP: usize = 200;

/// What a character thinks of another. Each part starts at 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Relationship {
    /// How much it likes the other, -1 to 1.
    pub affinity: Millionths,
    /// How much it trusts the other, 0 to 1.
    pub trust: Millionths,
    /// How well it knows the other, 0 to 1.
    pub familiarity: Millionths,
}

/// Why a relationship is as it is: one change of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    /// When it changed, in game time.
    pub time: GameTime,
    /// Why, in the words of the reply that asked for it; empty where it gave none.
    pub text: String,
    /// What was really added to each part.
    pub change: Relationship,
}

/// A part of a relationship, as a condition of a rule names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum RelationshipPart {
    /// How much it likes the other, -1 to 1.
    Affinity,
    /// How much it trusts the other, 0 to 1.
    Trust,
    /// How well it knows the other, 0 to 1.
    Familiarity,
}

impl Relationship {
    /// The value of the part that a condition names.
    #[must_use]
    pub(crate) fn part(&self, part: RelationshipPart) -> Millionths {
        match part {
            RelationshipPart::Affinity => self.affinity,
            RelationshipPart::Trust => self.trust,
            RelationshipPart::Familiarity => self.familiarity,
        }
    }
}

/// The relationships of one character, by the other's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relationships {
    map: BTreeMap<Id, Relationship>,
    causes: BTreeMap<Id, VecDeque<Cause>>,
}

impl Relationships {
    /// All relationships, by the other's id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Id, &Relationship)> {
        self.map.iter()
    }

    /// The relationship of the character to `other`; all zero for a stranger.
    #[must_use]
    pub fn get(&self, other: &str) -> Relationship {
        self.map.get(other).copied().unwrap_or_default()
    }

    /// Why the relationship to `other` is as it is: the last eight changes, the oldest first.
    pub(crate) fn causes(
        &self,
        other: &str,
    ) -> impl ExactSizeIterator<Item = &Cause> + DoubleEndedIterator {
        static NONE: VecDeque<Cause> = VecDeque::new();
        self.causes.get(other).unwrap_or(&NONE).iter()
    }

    /// Notes a cause; the oldest leaves when there are too many. Only a relationship that there is has causes.
    pub(super) fn add_cause(&mut self, other: &Id, cause: Cause) {
        if self.map.contains_key(other) {
            let causes = self.causes.entry(other.clone()).or_default();
            causes.push_back(cause);
            if causes.len() > MAX_CAUSES {
                causes.pop_front();
            }
        }
    }

    /// The same as [`Relationships::shift`], and keeps the cause. Where nothing was added, no cause is kept.
    pub fn shift_because(
        &mut self,
        other: &Id,
        change: Relationship,
        why: &str,
        now: GameTime,
    ) -> bool {
        let before = self.get(other);
        if !self.shift(other, change) {
            return false;
        }
        let after = self.get(other);
        let added = |after: Millionths, before: Millionths| Millionths(after.0 - before.0);
        let change = Relationship {
            affinity: added(after.affinity, before.affinity),
            trust: added(after.trust, before.trust),
            familiarity: added(after.familiarity, before.familiarity),
        };
        if change != Relationship::default() {
            let cause = Cause {
                time: now,
                text: why.chars().take(MAX_MEMORY_CHARS).collect(),
                change,
            };
            self.add_cause(other, cause);
        }
        true
    }

    /// Takes over a relationship of a save, each part brought into its range.
    pub(super) fn restore(&mut self, other: &Id, saved: Relationship) {
        if self.map.len() < RELATIONSHIP_CAP {
            let one = Millionths::ONE.0;
            let unit = |m: Millionths| Millionths(m.0.clamp(0, one));
            let relationship = Relationship {
                affinity: Millionths(saved.affinity.0.clamp(-one, one)),
                trust: unit(saved.trust),
                familiarity: unit(saved.familiarity),
            };
            self.map.insert(other.clone(), relationship);
        }
    }

    /// Adds `change` to the relationship, each part clamped to -0.2..=0.2, each total to its range.
    /// Returns false, and changes nothing, when a new one would pass 200.
    pub fn shift(&mut self, other: &Id, change: Relationship) -> bool {
        if !self.map.contains_key(other) && self.map.len() >= RELATIONSHIP_CAP {
            return false;
        }
        let step = |m: Millionths| Millionths(m.0.clamp(-MAX_CHANGE.0, MAX_CHANGE.0));
        let all = self.map.entry(other.clone()).or_default();
        let (zero, one) = (Millionths::ZERO, Millionths::ONE);
        all.affinity = all
            .affinity
            .add_clamped(step(change.affinity), Millionths(-one.0), one);
        all.trust = all.trust.add_clamped(step(change.trust), zero, one);
        all.familiarity = all
            .familiarity
            .add_clamped(step(change.familiarity), zero, one);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    #[test]
    fn changes_and_totals_are_clamped() {
        let mut relationships = Relationships::default();
        let change = Relationship {
            affinity: Millionths(-5_000_000),
            trust: Millionths(-100_000),
            familiarity: Millionths(150_000),
        };
        for _ in 0..10 {
            assert!(relationships.shift(&id!("player"), change));
        }
        let all = relationships.get("player");
        assert_eq!(all.affinity, Millionths(-1_000_000));
        assert_eq!(all.trust, Millionths::ZERO);
        assert_eq!(all.familiarity, Millionths::ONE);
        assert_eq!(relationships.get("stranger"), Relationship::default());
    }
}
