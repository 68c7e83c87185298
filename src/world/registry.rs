//! The actions that exist, and the functions that rulebooks may ask: a closed list once the app is built.

use super::action::{ActionShape, NpcAction};
use super::actions;
use super::condition::ActionScene;
use super::rulebook::{ActionRule, Rulebook};
use bevy::prelude::Resource;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A pure question about an action that a game answers in Rust.
pub type ActionFunction = dyn Fn(&ActionScene) -> bool + Send + Sync;

/// All actions and functions. It holds the built-in actions from the start; a game adds its own while the app is built
/// (`add_npc_action`, `add_action_condition`).
#[derive(Resource, Clone)]
pub struct ActionRegistry {
    shapes: BTreeMap<&'static str, ActionShape>,
    functions: BTreeMap<String, Arc<ActionFunction>>,
}

impl Default for ActionRegistry {
    fn default() -> Self {
        let shapes = actions::shapes().into_iter();
        Self {
            shapes: shapes.map(|shape| (shape.name, shape)).collect(),
            functions: BTreeMap::new(),
        }
    }
}

impl ActionRegistry {
    /// Adds a typed action, or replaces the one with its name.
    ///
    /// One that cannot be used (see [`ActionShape::problem`]) is logged as an error and left out.
    pub fn add<A: NpcAction>(&mut self) {
        let shape = ActionShape::of::<A>();
        match shape.problem() {
            None => {
                self.shapes.insert(A::NAME, shape);
            }
            Some(problem) => log::error!("the action {} is left out: {problem}", A::NAME),
        }
    }

    /// Adds a function that rulebooks ask as `Custom("name")`. It must be pure: replay asks it again.
    pub fn add_function(
        &mut self,
        name: impl Into<String>,
        function: impl Fn(&ActionScene) -> bool + Send + Sync + 'static,
    ) {
        self.functions.insert(name.into(), Arc::new(function));
    }

    /// The shape of an action.
    #[must_use]
    pub fn shape(&self, name: &str) -> Option<&ActionShape> {
        self.shapes.get(name)
    }

    /// All shapes, in order of the alphabet.
    pub fn shapes(&self) -> impl Iterator<Item = &ActionShape> {
        self.shapes.values()
    }

    /// The function of this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&ActionFunction> {
        self.functions.get(name).map(|function| &**function)
    }

    /// How an action is judged: by the rulebook, else as its type says.
    #[must_use]
    pub fn rule<'a>(&'a self, book: &'a Rulebook, action: &str) -> Option<&'a ActionRule> {
        let own = || self.shapes.get(action)?.rule.as_ref();
        book.actions.get(action).or_else(own)
    }
}

impl fmt::Debug for ActionRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActionRegistry")
            .field("actions", &self.shapes.keys().collect::<Vec<_>>())
            .field("functions", &self.functions.keys().collect::<Vec<_>>())
            .finish()
    }
}
