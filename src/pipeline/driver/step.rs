//! What each component of the pipeline does with a run: one step, from the phase in which the run waits to the next.

use super::hook::RunStep;
use crate::base::canonical::NotCanonical;
use crate::engine::Stage;
use crate::pipeline::run::{Run, RunPhase};
use bevy::prelude::*;
use thiserror::Error;

/// The phase to which a run goes on, or why it cannot.
pub(crate) type StepResult = std::result::Result<RunPhase, RunFault>;

/// Which runs a step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serves {
    /// Those of a character: a dialogue, or what it remembers of one.
    Dialogue,
    /// Those of a stage of an adventure.
    Stages,
    /// All.
    All,
}

impl Serves {
    pub(crate) fn serves(self, stage: Stage) -> bool {
        match self {
            Self::All => true,
            Self::Dialogue => is_of_character(stage),
            Self::Stages => !is_of_character(stage),
        }
    }
}

/// Whether a character goes through the pipeline in such a run, and not a stage of an adventure or of a plan.
fn is_of_character(stage: Stage) -> bool {
    matches!(stage, Stage::Dialogue | Stage::Remember | Stage::Diary)
}

/// One component's work on one run. The [driver](crate::pipeline::driver) calls it, in the order of the runs' numbers.
pub(crate) trait Step: Send + Sync + 'static {
    /// The phase in which a run waits for this step.
    const PHASE: RunPhase;
    /// What the hook is told before the step reads the world. `None` for a step that reads its own run alone.
    const READS: Option<RunStep>;
    /// Which runs it is for.
    const SERVES: Serves = Serves::Dialogue;
    /// What the runs of one frame share, so that it is worked out once.
    type Frame: Default;

    /// Does the work, puts the output on the run, and names the next phase: its own when the run has to wait on.
    ///
    /// # Errors
    /// [`RunFault`] when something is missing that the run needs. The driver ends the run.
    fn run(&self, world: &mut World, run: Entity, frame: &mut Self::Frame) -> StepResult;
}

/// Why a run could not go on: something that it needs was removed or broken from outside.
///
/// It is logged as an error, stays on the run as a component, and the run ends as its policy says, as if every attempt had
/// failed.
#[derive(Component, Debug, Clone, PartialEq, Eq, Error)]
#[component(storage = "SparseSet", immutable)]
#[non_exhaustive]
pub enum RunFault {
    /// A component of the run's entity is gone.
    #[error("the run has lost its component {0}")]
    RunComponent(&'static str),
    /// A component of the character's entity is gone.
    #[error("the character has lost its component {0}")]
    CharacterComponent(&'static str),
    /// A resource of the plugin is gone.
    #[error("the resource {0} has been removed")]
    Resource(&'static str),
    /// The policy allows no further attempt, or none at all.
    #[error("{0}")]
    Attempt(String),
    /// What the attempt depends on has no canonical form, so it has no hash.
    #[error("the snapshot cannot be hashed: {0}")]
    Snapshot(String),
    /// The result that was to be installed was approved for another run.
    #[error("the result that was to be installed was approved for another run")]
    ForeignApproval,
    /// The one call of a sealed run has been spent already.
    #[error("a sealed run has no call left")]
    NoCallLeft,
}

impl From<NotCanonical> for RunFault {
    fn from(error: NotCanonical) -> Self {
        Self::Snapshot(error.to_string())
    }
}

/// The name of a type without its path.
pub(crate) fn short_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name)
}

/// A component of a run.
pub(crate) fn run_component<C: Component>(
    world: &World,
    run: Entity,
) -> std::result::Result<&C, RunFault> {
    world
        .get::<C>(run)
        .ok_or_else(|| RunFault::RunComponent(short_name::<C>()))
}

/// A component of the character that a run belongs to.
pub(crate) fn character_component<'w, C: Component>(
    world: &'w World,
    run: &Run,
) -> std::result::Result<&'w C, RunFault> {
    world
        .get::<C>(run.npc_entity())
        .ok_or_else(|| RunFault::CharacterComponent(short_name::<C>()))
}
