//! Where a journal is told of turns. Without a journal no hook is installed, and nothing is paid for it.

use super::record::AdventureRecord;
use bevy::prelude::*;
use std::sync::Arc;

/// Code that is called at each moment at which a turn begins, or changes the judged world.
pub(crate) trait AdventureHook: Send + Sync + 'static {
    /// A turn has begun; `turn` is its entity. It has read nothing yet.
    fn turn_begun(&self, world: &mut World, turn: Entity);
    /// A turn is about to be committed.
    fn before_commit(&self, world: &mut World);
    /// A turn is over, and what it changed is installed.
    fn turn_ended(&self, world: &mut World, turn: Entity, record: &AdventureRecord);
}

/// The hook that is called, if there is one.
#[derive(Resource, Clone)]
pub(crate) struct InstalledAdventureHook(pub Arc<dyn AdventureHook>);

/// Calls the hook, if one is installed.
pub(super) fn call_hook(world: &mut World, call: impl FnOnce(&dyn AdventureHook, &mut World)) {
    if let Some(InstalledAdventureHook(hook)) =
        world.get_resource::<InstalledAdventureHook>().cloned()
    {
        call(&*hook, world);
    }
}
