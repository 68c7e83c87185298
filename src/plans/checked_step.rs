//! A step of a plan that was normalised and tried.

use crate::base::ids::Id;
use crate::proposal::StepReply;
use crate::world::{Intent, ReasonCode};

/// A step that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedStep {
    /// The step as it was written.
    pub(crate) written: StepReply,
    /// What it does, with ids.
    pub intent: Intent,
    /// The ids of the entities that it would bring into the world.
    pub brings: Vec<Id>,
    /// What the rulebook answered in the dry run.
    pub dry: ReasonCode,
    /// Whether it names its target by id, or has none.
    pub is_specific: bool,
}

impl CheckedStep {
    /// Its id, as the model wrote it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.written.id
    }
}
