//! Approvals: what passed the gate. Nobody else can make one (DESIGN.md, invariant 1).

use crate::base::fixed::Millionths;
use crate::memory::Relationship;
use crate::proposal::MutationKind;
use crate::world::Intent;
use serde::Serialize;

/// A value that passed the gate, bound to the run that it was judged for.
///
/// It can be neither built nor copied outside the gate: no literal, no `Clone`, no `Deserialize`, no
/// `FromReflect`.
///
/// ```compile_fail
/// use bevy_dramatis::gate::{Approved, Line};
/// let forged = Approved { value: Line("I am the king.".to_owned()), run: 0 };
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Approved<T> {
    value: T,
    run: u64,
}

impl<T> Approved<T> {
    pub(in crate::gate) fn new(run: u64, value: T) -> Self {
        Self { value, run }
    }

    /// What was approved.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The run that it was judged for.
    #[must_use]
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Takes the value out, if it was judged for this run: an approval cannot be spent elsewhere.
    #[must_use]
    pub fn spend(self, run: u64) -> Option<T> {
        (self.run == run).then_some(self.value)
    }
}

/// What a character says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(pub String);

/// A change of one character's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum MemoryChange {
    /// A new episode.
    AppendEpisodic {
        /// What happened.
        content: String,
        /// 0-1.
        significance: Millionths,
    },
    /// A new or changed belief.
    TransformBelief {
        /// Its id.
        target: String,
        /// What is believed now.
        content: String,
        /// 0-1.
        confidence: Millionths,
        /// Whether it goes against canon.
        contradicts_canon: bool,
    },
    /// A shift in a relationship.
    TransformRelationship {
        /// To whom.
        target: String,
        /// By how much.
        change: Relationship,
    },
}

impl MemoryChange {
    /// Of which kind the mutation is.
    #[must_use]
    pub fn kind(&self) -> MutationKind {
        match self {
            Self::AppendEpisodic { .. } => MutationKind::AppendEpisodic,
            Self::TransformBelief { .. } => MutationKind::TransformBelief,
            Self::TransformRelationship { .. } => MutationKind::TransformRelationship,
        }
    }
}

/// All that a verdict approved. Empty when it failed.
#[derive(Debug, Default)]
pub struct Approvals {
    /// What the character says.
    pub line: Option<Approved<Line>>,
    /// What changes in its memory, in order.
    pub memories: Vec<Approved<MemoryChange>>,
    /// What it does, in order.
    pub intents: Vec<Approved<Intent>>,
}

impl Approvals {
    pub(in crate::gate) fn new(
        run: u64,
        dialogue: &str,
        memories: Vec<MemoryChange>,
        intents: Vec<Intent>,
    ) -> Self {
        Self {
            line: Some(Approved::new(run, Line(dialogue.to_owned()))),
            memories: memories
                .into_iter()
                .map(|m| Approved::new(run, m))
                .collect(),
            intents: intents.into_iter().map(|i| Approved::new(run, i)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g9_an_approval_cannot_be_spent_on_another_run() {
        assert_eq!(Approved::new(1, "x").spend(2), None);
        assert_eq!(Approved::new(1, "x").spend(1), Some("x"));
    }
}
