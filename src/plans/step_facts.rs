//! What is known of a step when its plan is judged: all that risk, quality and policy look at.

use super::taxonomy::{Operation, StepMatch};
use crate::base::ids::Id;
use crate::world::WorldValue;
use std::collections::BTreeMap;

/// What is known of a step's target, as the world is when the plan is proposed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TargetFacts {
    /// Its kind; empty where it has none.
    pub kind: String,
    /// What is true of it.
    pub attributes: BTreeMap<String, WorldValue>,
    /// Whether it belongs to somebody else than who plans: somebody else carries it, or is named by its attribute `owner`.
    pub of_another: bool,
    /// Where it is: its own id for a location, its carrier's place for a carried thing; `None`: offstage.
    pub location: Option<Id>,
}

/// What is known of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepFacts {
    /// What its action does.
    pub operation: Operation,
    /// Its target; `None` for a step without one.
    pub target: Option<TargetFacts>,
    /// Whether it names its target by id, or has none.
    pub is_specific: bool,
    /// Whether the rulebook allowed it in the dry run.
    pub is_feasible: bool,
    /// How many characters its reason has.
    pub why_chars: usize,
}

impl StepFacts {
    /// Whether a step is so.
    #[must_use]
    pub fn is(&self, wanted: &StepMatch) -> bool {
        let target = self.target.as_ref();
        match wanted {
            StepMatch::Operation(operation) => self.operation == *operation,
            StepMatch::OfAnother => target.is_some_and(|target| target.of_another),
            StepMatch::TargetAttribute(name, value) => {
                target.is_some_and(|target| target.attributes.get(name) == Some(value))
            }
            StepMatch::TargetKind(kind) => target.is_some_and(|target| target.kind == *kind),
        }
    }
}
