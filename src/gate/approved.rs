//! Approvals: what passed the gate. Nobody else can make one (DESIGN.md, invariant 1).

use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::memory::Relationship;
use crate::proposal::MutationKind;
use crate::world::Intent;
use serde::Serialize;

/// A value that passed the gate, bound to the run that it was judged for.
///
/// It can be neither built nor copied outside the gate: no literal, no `Clone`, no `Deserialize`, no
/// `FromReflect`. It stays whole on its way to the commit, which reads it with [`get`](Self::get) and takes the value
/// out with [`spend`](Self::spend) only when it installs it.
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

    /// The approved value, to look at.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The number of the run that it was judged for.
    #[must_use]
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Takes the value out, to install it. `None` when it was judged for another run than number `run`: the approval
    /// is lost then, and cannot be spent elsewhere.
    #[must_use]
    pub fn spend(self, run: u64) -> Option<T> {
        (self.run == run).then_some(self.value)
    }

    /// Takes several values out, in order. `None`, and all approvals are lost, when one of them was judged for
    /// another run than number `run`.
    #[must_use]
    pub fn spend_all(approvals: Vec<Self>, run: u64) -> Option<Vec<T>> {
        approvals
            .into_iter()
            .map(|approved| approved.spend(run))
            .collect()
    }
}

/// What a character says aloud: one line, not empty unless it acts without a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(pub String);

/// A change of one character's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum MemoryChange {
    /// A new episode: something that the character will remember.
    AppendEpisodic {
        /// What happened, 1 to 2,000 characters.
        content: String,
        /// How much it matters, 0 to 1. The reply says so; 0.5 where it does not.
        significance: Millionths,
    },
    /// A new belief, or another form of the one with this id.
    TransformBelief {
        /// The id of the belief, held already or new.
        target: Id,
        /// What is believed from now on, 1 to 2,000 characters.
        content: String,
        /// How firmly, 0 to 1; 0.8 where the reply does not say.
        confidence: Millionths,
        /// Whether it contradicts canon. A character may believe what is wrong; prompts show it as uncertain.
        contradicts_canon: bool,
    },
    /// A change of how the character stands to another.
    TransformRelationship {
        /// The id of the other. Nobody checks whether somebody has it.
        target: Id,
        /// By how much each part changes: -0.2 to 0.2 for a whole reply.
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

    /// The words that would be remembered; `None` for a change of a relationship, which has numbers alone.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        match self {
            Self::AppendEpisodic { content, .. } | Self::TransformBelief { content, .. } => {
                Some(content)
            }
            Self::TransformRelationship { .. } => None,
        }
    }
}

/// All that a verdict approved. Empty when the verdict failed.
#[derive(Debug, Default)]
pub struct Approvals {
    /// What the character says; `None` when the verdict failed.
    pub line: Option<Approved<Line>>,
    /// What changes in its memory, in the order of the reply.
    pub memories: Vec<Approved<MemoryChange>>,
    /// What it does, in the order of the reply.
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

    #[test]
    fn g9_several_approvals_are_spent_together_or_not_at_all() {
        let approved = |runs: &[u64]| -> Vec<Approved<u64>> {
            runs.iter().map(|run| Approved::new(*run, *run)).collect()
        };
        assert_eq!(Approved::spend_all(approved(&[1, 1]), 1), Some(vec![1, 1]));
        assert_eq!(Approved::spend_all(approved(&[1, 2]), 1), None);
        assert_eq!(Approved::spend_all(approved(&[]), 1), Some(vec![]));
    }
}
