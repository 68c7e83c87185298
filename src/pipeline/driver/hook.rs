//! Where a journal is called by the pipeline. Without a journal no hook is installed, and nothing is paid for it.

use crate::story::Rules;
use crate::world::TurnRecord;
use bevy::prelude::*;
use std::sync::Arc;

/// What a run is about to do with the world that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunStep {
    /// It begins.
    Start,
    /// Its rules are evaluated.
    Expectancy,
    /// Its memories are retrieved.
    Retrieval,
    /// The input of its next attempt is frozen.
    Snapshot,
    /// What its character chose to do is judged.
    Choice,
    /// A part of a reply is judged that is still coming.
    Sentence,
    /// A reply is judged.
    Validation,
    /// Approved changes are committed, if they are still allowed.
    Commit,
    /// An attempt has failed: another one follows, or the run ends.
    Failure,
}

/// Code that is called at each moment at which the pipeline reads or changes the judged world.
pub(crate) trait PipelineHook: Send + Sync + 'static {
    /// A run is about to read the world.
    fn before_step(&self, world: &mut World, run: Entity, step: RunStep);
    /// The reply of a stage was judged; its verdict is on the run. `words`: what of it was judged as a whole.
    fn stage_judged(&self, _world: &mut World, _run: Entity, _words: &str) {}
    /// A run has ended; its components hold all that happened.
    fn run_ended(&self, world: &mut World, run: Entity);
    /// A turn is about to be taken.
    fn before_turn(&self, world: &mut World);
    /// The mind of a character has changed, and no run has changed it.
    fn mind_changed(&self, _world: &mut World, _npc: Entity) {}
    /// A turn was judged, and nothing of it is installed yet. `again` says what other rules make of it in the same world.
    fn turn_judged(&self, _world: &World, _again: &dyn Fn(&Rules) -> TurnRecord) {}
    /// A turn was taken and its changes are installed.
    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &Arc<TurnRecord>);
}

/// The hook that is called, if there is one.
#[derive(Resource, Clone)]
pub(crate) struct InstalledHook(pub Arc<dyn PipelineHook>);

/// Calls the hook, if one is installed.
pub(crate) fn call_hook(world: &mut World, call: impl FnOnce(&dyn PipelineHook, &mut World)) {
    if let Some(InstalledHook(hook)) = world.get_resource::<InstalledHook>().cloned() {
        call(&*hook, world);
    }
}
