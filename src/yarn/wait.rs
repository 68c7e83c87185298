//! A dialogue that waits, and how it goes on.

use super::variables::set_outcome;
use crate::base::ids::Id;
use crate::world::ProposedAction;
use bevy::prelude::*;
use bevy_yarnspinner::prelude::DialogueRunner;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a command is over. Yarn Spinner looks at it each frame.
pub(super) type Done = Arc<AtomicBool>;

/// A command that is over at once.
pub(super) fn at_once() -> Done {
    Arc::new(AtomicBool::new(true))
}

/// On the entity of a runner whose dialogue waits. The dialogue goes on when it is gone, however it went: so no dialogue waits
/// without end.
#[derive(Component, Debug)]
#[component(storage = "SparseSet")]
pub(super) struct Waits {
    /// What the dialogue waits for.
    pub what: WaitsFor,
    done: Done,
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
    }
}

/// What a dialogue waits for.
#[derive(Debug, Clone)]
pub(super) enum WaitsFor {
    /// The answer of a character.
    Answer(Asked),
    /// Lines that the player could say to this character.
    Lines(Entity),
    /// The turn of an actor.
    Turn(Acted),
}

/// What a character was asked.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub npc: Entity,
    pub npc_id: Id,
    /// The number of the request in the queue of the character.
    pub request: u64,
    pub speaker: Id,
    /// The words, as the run holds them.
    pub words: String,
}

/// What an actor was to do.
#[derive(Debug, Clone)]
pub(super) struct Acted {
    pub actor: Id,
    /// The words that a parser reads; `None` for a typed action.
    pub text: Option<String>,
    /// The typed action; empty for words.
    pub actions: Vec<ProposedAction>,
}

/// Lets a dialogue wait. What it has waited for before is forgotten.
pub(super) fn wait_for(world: &mut World, runner: Entity, what: WaitsFor) -> Done {
    let done = Done::default();
    let waits = Waits {
        what,
        done: done.clone(),
    };
    if let Ok(mut runner) = world.get_entity_mut(runner) {
        runner.insert(waits);
    }
    done
}

/// A dialogue waits no longer.
pub(super) fn go_on(world: &mut World, runner: Entity) {
    if let Ok(mut runner) = world.get_entity_mut(runner) {
        runner.remove::<Waits>();
    }
}

/// A command that the writer has to change has failed: the dialogue goes on at once with the outcome `failed`.
pub(super) fn fail(
    world: &mut World,
    runner: Entity,
    command: &str,
    why: impl fmt::Display,
) -> Done {
    let node = node_of(world, runner);
    log::error!("<<{command}>> in the Yarn node \"{node}\" failed: {why}");
    set_outcome(world, runner, "failed", "", "");
    at_once()
}

/// The name of the node that a runner is in; empty where it is in none.
///
/// Not to be called while Yarn Spinner calls a function.
pub(super) fn node_of(world: &World, runner: Entity) -> String {
    let runner = world.get::<DialogueRunner>(runner);
    let node = runner.and_then(DialogueRunner::current_node);
    node.unwrap_or_default()
}
