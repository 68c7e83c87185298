//! Approvals: what passed the gate. Only the gate can make one.

use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::judged_world::Intent;
use crate::memory::Relationship;
use crate::proposal::MutationKind;
use bevy::reflect::Reflect;
use serde::Serialize;
use std::fmt;

/// What an approval is judged for: one run, one turn of an adventure, or one plan. Only what it is judged for can spend it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ApprovedFor(Owner);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Run(u64),
    AdventureTurn(u64),
    Plan(u64),
}

impl ApprovedFor {
    /// The run with this number.
    pub(crate) fn run(number: u64) -> Self {
        Self(Owner::Run(number))
    }

    /// The turn of an adventure with this number.
    pub(crate) fn adventure_turn(turn: u64) -> Self {
        Self(Owner::AdventureTurn(turn))
    }

    /// The plan with this number.
    pub(crate) fn plan(number: u64) -> Self {
        Self(Owner::Plan(number))
    }
}

impl fmt::Display for ApprovedFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Owner::Run(number) => write!(f, "run {number}"),
            Owner::AdventureTurn(turn) => write!(f, "turn {turn}"),
            Owner::Plan(number) => write!(f, "plan {number}"),
        }
    }
}

/// What approvals are judged for, and what spends them. The run, the turn or the plan itself says which one it is: the caller
/// does not bring a number.
pub(crate) trait SpendsApprovals {
    /// Which run, turn or plan this is.
    fn approved_for(&self) -> ApprovedFor;
}

/// A value that passed the gate, bound to the run, the turn or the plan that it was judged for.
///
/// Code outside the gate can neither build nor copy it: no literal, no `Clone`, no `Deserialize`, no `FromReflect`. It stays
/// whole on its way to the commit, which reads it with [`get`](Self::get) and takes the value out with [`spend`](Self::spend)
/// only when it installs it. It does not tell what it was judged for, so that no code can read this from the approval and hand
/// it back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Approved<T> {
    value: T,
    owner: ApprovedFor,
}

impl<T> Approved<T> {
    pub(in crate::gate) fn new(run: u64, value: T) -> Self {
        Self::new_for(ApprovedFor::run(run), value)
    }

    pub(in crate::gate) fn new_for(owner: ApprovedFor, value: T) -> Self {
        Self { value, owner }
    }

    pub(in crate::gate) fn owner(&self) -> ApprovedFor {
        self.owner
    }

    /// The approved value, to look at.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.value
    }

    /// Whether it was judged for the run with this number.
    #[must_use]
    pub fn is_for_run(&self, number: u64) -> bool {
        self.owner == ApprovedFor::run(number)
    }

    /// Takes the value out, to install it. `None` when it was judged for something else than `by`: the approval is lost then, and
    /// cannot be spent elsewhere.
    #[must_use]
    pub fn spend(self, by: &impl SpendsApprovals) -> Option<T> {
        (self.owner == by.approved_for()).then_some(self.value)
    }

    /// Takes several values out, in order. `None`, and all approvals are lost, when one of them was judged for something else
    /// than `by`.
    #[must_use]
    pub fn spend_all(approvals: Vec<Self>, by: &impl SpendsApprovals) -> Option<Vec<T>> {
        approvals
            .into_iter()
            .map(|approved| approved.spend(by))
            .collect()
    }
}

impl<T> Approved<Vec<T>> {
    /// An approval of each value in place of one of all of them, in order.
    #[must_use]
    pub fn each(self) -> Vec<Approved<T>> {
        let owner = self.owner;
        self.value
            .into_iter()
            .map(|value| Approved { value, owner })
            .collect()
    }
}

/// What a character says aloud: one line, not empty unless it acts without a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line(pub String);

/// A change of one character's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Reflect)]
#[reflect(opaque)]
pub enum MemoryChange {
    /// A new episode: something that the character will remember.
    AppendEpisodic {
        /// What happened, 1 to 2,000 characters.
        content: String,
        /// How much it matters, 0 to 1, as the reply says; 0.5 where the reply does not say.
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
    /// A change of the character's relationship to another.
    TransformRelationship {
        /// The id of the other. The gate does not check whether an actor has it.
        target: Id,
        /// How much each part changes: -0.2 to 0.2 over a whole reply.
        change: Relationship,
        /// Why, as the reply says; empty where it does not. Records of runs do not hold it: the mind keeps it.
        #[serde(skip)]
        why: String,
    },
}

impl MemoryChange {
    /// What kind of change it is, as records name it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// The kind of the mutation.
    #[must_use]
    pub(crate) fn kind(&self) -> MutationKind {
        match self {
            Self::AppendEpisodic { .. } => MutationKind::AppendEpisodic,
            Self::TransformBelief { .. } => MutationKind::TransformBelief,
            Self::TransformRelationship { .. } => MutationKind::TransformRelationship,
        }
    }

    /// The words that would be remembered; `None` for a change of a relationship, which has only numbers.
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
pub(crate) struct Approvals {
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

    /// What spends approvals, in these tests.
    struct By(ApprovedFor);

    impl SpendsApprovals for By {
        fn approved_for(&self) -> ApprovedFor {
            self.0
        }
    }

    fn run(number: u64) -> By {
        By(ApprovedFor::run(number))
    }

    #[test]
    fn g9_an_approval_cannot_be_spent_on_another_run() {
        assert_eq!(Approved::new(1, "x").spend(&run(2)), None);
        assert_eq!(Approved::new(1, "x").spend(&run(1)), Some("x"));
    }

    #[test]
    fn g9_a_run_a_turn_and_a_plan_of_one_number_are_three() {
        let owners = [
            ApprovedFor::run(1),
            ApprovedFor::adventure_turn(1),
            ApprovedFor::plan(1),
        ];
        for of in owners {
            for by in owners {
                let spent = Approved::new_for(of, "x").spend(&By(by));
                assert_eq!(spent.is_some(), of == by, "of {of} by {by}");
            }
        }
    }

    #[test]
    fn g9_several_approvals_are_spent_together_or_not_at_all() {
        let approved = |runs: &[u64]| -> Vec<Approved<u64>> {
            runs.iter().map(|run| Approved::new(*run, *run)).collect()
        };
        let spent = |runs: &[u64]| Approved::spend_all(approved(runs), &run(1));
        assert_eq!(spent(&[1, 1]), Some(vec![1, 1]));
        assert_eq!(spent(&[1, 2]), None);
        assert_eq!(spent(&[]), Some(vec![]));
    }

    #[test]
    fn g9_parts_of_an_approval_belong_to_the_same_run() {
        let parts = Approved::new(1, vec!["x", "y"]).each();
        assert_eq!(Approved::spend_all(parts, &run(1)), Some(vec!["x", "y"]));
        let parts = Approved::new(1, vec!["x", "y"]).each();
        assert_eq!(Approved::spend_all(parts, &run(2)), None);
    }
}
