//! What is known of a step when its plan is judged: all that risk, quality and policy look at.
//!
//! A step is as risky as the worst of what it names: its target, who receives something, and what is used.

use super::taxonomy::{Operation, StepMatch};
use crate::base::ids::Id;
use crate::world::WorldValue;
use std::collections::BTreeMap;

/// What is known of something that a step names, as the world is when the plan is proposed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TargetFacts {
    /// Its kind; empty where it has none.
    pub kind: String,
    /// What is true of it.
    pub attributes: BTreeMap<String, WorldValue>,
    /// Whether it belongs to another actor than the planning character: another one carries it, or its attribute `owner`
    /// names another one.
    pub of_another: bool,
    /// Where it is: its own id for a location, its carrier's place for a carried thing; `None`: offstage.
    pub location: Option<Id>,
}

impl TargetFacts {
    /// Whether this match holds for the target. False for an operation: it is a property of the step.
    fn is(&self, wanted: &StepMatch) -> bool {
        match wanted {
            StepMatch::Operation(_) => false,
            StepMatch::OfAnother => self.of_another,
            StepMatch::TargetAttribute(name, value) => self.attributes.get(name) == Some(value),
            StepMatch::TargetKind(kind) => self.kind == *kind,
        }
    }
}

/// What is known of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct StepFacts {
    /// What its action does.
    pub operation: Operation,
    /// Its target; `None` for a step without one.
    pub target: Option<TargetFacts>,
    /// What else it names: who receives something, and what is used.
    pub others: Vec<TargetFacts>,
    /// Whether it names its target by id, or has none.
    pub is_specific: bool,
    /// Whether the rulebook allowed it in the dry run.
    pub is_feasible: bool,
    /// How many characters its reason has.
    pub why_chars: usize,
}

impl StepFacts {
    /// Whether this match holds for a step, by its target or by anything else that it names.
    #[must_use]
    pub(crate) fn is(&self, wanted: &StepMatch) -> bool {
        self.is_by_target(wanted) || self.others.iter().any(|other| other.is(wanted))
    }

    /// The same by what it does and by its target alone.
    #[must_use]
    pub(crate) fn is_by_target(&self, wanted: &StepMatch) -> bool {
        match wanted {
            StepMatch::Operation(operation) => self.operation == *operation,
            of_target => self
                .target
                .as_ref()
                .is_some_and(|target| target.is(of_target)),
        }
    }
}
