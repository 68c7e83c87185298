//! The seam to whoever writes down what happens. Nobody listens, and nothing is paid, unless a journal is kept.

use crate::world::TurnRecord;
use bevy::prelude::*;
use std::sync::Arc;

/// What a run is about to do with the world that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunStep {
    /// It begins.
    Start,
    /// Its rules are looked at.
    Expectancy,
    /// Its memories are looked at.
    Retrieval,
    /// The input of its first attempt is frozen.
    Snapshot,
    /// A reply is judged.
    Validation,
    /// What was approved is installed, if it still may be.
    Commit,
    /// An attempt has failed: another one follows, or the run ends.
    Failure,
}

/// Who is told of what happens, at the moment at which it happens.
pub(crate) trait PipelineHook: Send + Sync + 'static {
    /// A run is about to read the world.
    fn reading(&self, world: &mut World, run: Entity, step: RunStep);
    /// A run has ended; its components hold all that happened.
    fn run_ended(&self, world: &mut World, run: Entity);
    /// A turn is about to be taken.
    fn turn_due(&self, world: &mut World);
    /// A turn was taken and its changes are installed.
    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &TurnRecord);
}

/// Who is told, if anybody is.
#[derive(Resource, Clone)]
pub(crate) struct InstalledHook(pub Arc<dyn PipelineHook>);

/// Tells whoever listens.
pub(crate) fn tell(world: &mut World, say: impl FnOnce(&dyn PipelineHook, &mut World)) {
    if let Some(InstalledHook(hook)) = world.get_resource::<InstalledHook>().cloned() {
        say(&*hook, world);
    }
}
