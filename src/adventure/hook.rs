//! Where a journal is told about turns. Without a journal no hook is installed, and it costs nothing.

use super::record::AdventureRecord;
use crate::base::ids::Id;
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction};
use crate::story::Rules;
use bevy::prelude::*;
use std::sync::Arc;

/// Code that is called as a turn goes on: when it begins, at what is judged in it, and before and after it changes the judged
/// world.
pub(crate) trait AdventureHook: Send + Sync + 'static {
    /// A turn has begun; `turn` is its entity. It has read nothing yet.
    fn turn_begun(&self, world: &mut World, turn: Entity);
    /// The rulebook has decided on an intention. `again` says what other rules make of it in the same world.
    fn intention_judged(
        &self,
        _world: &World,
        _intention: &JudgedIntention,
        _again: &dyn Fn(&Rules) -> JudgedActions,
    ) {
    }
    /// A stage has ended, and comes after the others in the record of its turn; `run` is its run.
    fn stage_ended(&self, _world: &mut World, _run: Entity) {}
    /// A turn is about to be committed.
    fn before_commit(&self, world: &mut World);
    /// A turn is over, and what it changed is installed.
    fn turn_ended(&self, world: &mut World, turn: Entity, record: &AdventureRecord);
}

/// An intention that the rulebook has decided on.
pub(crate) struct JudgedIntention<'a> {
    /// Whose intention it is.
    pub actor: &'a Id,
    /// The words of the intention.
    pub text: &'a str,
    /// The actions that were read in it, with what the rulebook says of them.
    pub judged: &'a JudgedActions,
}

/// What was made of an intention: each list is in the order of the intention.
#[derive(Debug, Clone, Default)]
pub(crate) struct JudgedActions {
    /// What could not be read as an action, or may not be done by this actor; each says which of all actions it is.
    pub rejected: Vec<RejectedAction>,
    /// What the rulebook was asked, with its answers: all others.
    pub actions: Vec<JudgedAction>,
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
