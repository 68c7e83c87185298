//! The actions that exist, and the functions that rulebooks may ask: a closed list once the app is built.

use super::actions;
use crate::judged_world::action::{ActionShape, NpcAction, action_key};
use crate::judged_world::rulebook::scene::ActionScene;
use bevy::prelude::Resource;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A pure question about an action that a game answers in Rust.
pub type ActionFunction = dyn Fn(&ActionScene) -> bool + Send + Sync;

/// All actions and functions. It holds the built-in actions from the start; a game adds its own while the app is built
/// (`add_npc_action`, `add_action_condition`). Once the app is built it is frozen, so that what is possible in a world
/// cannot change while it is played. A clone is cheap: it shares what is registered.
#[derive(Resource, Clone)]
pub struct ActionRegistry {
    registered: Arc<Registered>,
    frozen: bool,
}

#[derive(Clone)]
struct Registered {
    shapes: BTreeMap<&'static str, ActionShape>,
    /// The names of those that the game has added.
    own: BTreeSet<&'static str>,
    functions: BTreeMap<String, Arc<ActionFunction>>,
}

impl Default for ActionRegistry {
    fn default() -> Self {
        let shapes = actions::shapes().into_iter();
        let registered = Registered {
            shapes: shapes.map(|shape| (shape.name, shape)).collect(),
            own: BTreeSet::new(),
            functions: BTreeMap::new(),
        };
        Self {
            registered: Arc::new(registered),
            frozen: false,
        }
    }
}

impl ActionRegistry {
    /// Adds a typed action, or replaces the one with its name. A game that handles a built-in action without effects, such as
    /// `use`, adds that action, too: only then is it offered for every thing.
    ///
    /// An action that cannot be used (see `ActionShape::problem`), or that is added after the registry is frozen, is logged as an
    /// error and left out.
    pub fn add<A: NpcAction>(&mut self) {
        let shape = ActionShape::of::<A>();
        match shape.problem() {
            Some(problem) => log::error!("the action {} is left out: {problem}", A::NAME),
            None => {
                if let Some(open) = self.open(A::NAME) {
                    open.shapes.insert(A::NAME, shape);
                    open.own.insert(A::NAME);
                }
            }
        }
    }

    /// Adds a function that rulebooks use as `Custom("name")`, or replaces the one with its name. It must be pure: replay
    /// calls it again. A function that is added after the registry is frozen is logged as an error and left out.
    pub fn add_function(
        &mut self,
        name: impl Into<String>,
        function: impl Fn(&ActionScene) -> bool + Send + Sync + 'static,
    ) {
        let name = name.into();
        if let Some(open) = self.open(&name) {
            open.functions.insert(name, Arc::new(function));
        }
    }

    /// Ends registering: from now on nothing can be added, here and in clones made from now on. The plugin calls it when
    /// the app is built.
    pub fn freeze(&mut self) {
        self.frozen = true;
    }

    /// Whether nothing can be added any more.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn open(&mut self, name: &str) -> Option<&mut Registered> {
        if self.frozen {
            log::error!(
                "\"{name}\" is left out: actions and functions are added while the app is built"
            );
            return None;
        }
        Some(Arc::make_mut(&mut self.registered))
    }

    /// The shape of an action; none when the game has not added it.
    #[must_use]
    pub(crate) fn shape(&self, name: &str) -> Option<&ActionShape> {
        self.registered.shapes.get(name)
    }

    /// The shape of the action that a model means by this name: the one of this name, else the only one whose name differs in
    /// nothing but case, blanks, `_` and `-`, such as `Open`, or `castSpell` for `cast_spell`.
    #[must_use]
    pub(crate) fn meant(&self, written: &str) -> Option<&ActionShape> {
        let alike = || {
            let key = action_key(written);
            let mut alike = self.shapes().filter(|shape| action_key(shape.name) == key);
            let first = alike.next();
            first.filter(|_| alike.next().is_none())
        };
        self.shape(written).or_else(alike)
    }

    /// Whether the game has added the action of this name.
    #[must_use]
    pub fn is_own(&self, name: &str) -> bool {
        self.registered.own.contains(name)
    }

    /// All shapes, in order of the alphabet.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &ActionShape> {
        self.registered.shapes.values()
    }

    /// The function of this name; `None` when the game has not added it.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&ActionFunction> {
        let function = self.registered.functions.get(name);
        function.map(|function| &**function)
    }
}

impl fmt::Debug for ActionRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActionRegistry")
            .field(
                "actions",
                &self.registered.shapes.keys().collect::<Vec<_>>(),
            )
            .field(
                "functions",
                &self.registered.functions.keys().collect::<Vec<_>>(),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::reflect::Reflect;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
    struct Sing {}

    impl NpcAction for Sing {
        const NAME: &'static str = "sing";
    }

    #[test]
    fn w1_the_list_of_actions_is_closed_once_it_is_frozen() {
        let mut open = ActionRegistry::default();
        let mut frozen = open.clone();
        frozen.freeze();
        for registry in [&mut open, &mut frozen] {
            registry.add::<Sing>();
            registry.add_function("moonlit", |_| true);
        }
        assert!(open.shape("sing").is_some() && open.function("moonlit").is_some());
        assert!(frozen.shape("sing").is_none() && frozen.function("moonlit").is_none());
        assert!(frozen.shape("open").is_some() && frozen.clone().is_frozen());
    }

    #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
    struct OpenUp {}

    impl NpcAction for OpenUp {
        const NAME: &'static str = "open_up";
    }

    #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
    struct Openup {}

    impl NpcAction for Openup {
        const NAME: &'static str = "openup";
    }

    #[test]
    fn g7_the_name_of_an_action_is_read_in_any_case() {
        let mut registry = ActionRegistry::default();
        let meant =
            |registry: &ActionRegistry, written| registry.meant(written).map(|shape| shape.name);
        for written in ["open", "Open", "OPEN", "open ", " oPen\n"] {
            assert_eq!(meant(&registry, written), Some("open"), "{written:?}");
        }
        for written in [
            "",
            "_",
            "о\u{440}en",
            "\u{43e}pen",
            "opens",
            "open!",
            "open?",
        ] {
            assert_eq!(meant(&registry, written), None, "{written:?}");
        }
        registry.add::<OpenUp>();
        for written in ["open_up", "OpenUp", "openUp", "Open Up", "OPEN-UP"] {
            assert_eq!(meant(&registry, written), Some("open_up"), "{written:?}");
        }
        // Where two would be meant, none is.
        registry.add::<Openup>();
        assert_eq!(meant(&registry, "OpenUp"), None);
        assert_eq!(meant(&registry, "openup"), Some("openup"));
    }

    #[test]
    fn w6_an_action_whose_rule_cannot_be_read_is_left_out_and_says_where_the_mistake_is() {
        #[derive(Debug, Clone, PartialEq, Reflect, Serialize, Deserialize)]
        struct Hum {}
        impl NpcAction for Hum {
            const NAME: &'static str = "hum";
            const RULE: &'static str = "(checks: [],\n    result: [])";
        }
        let problem = ActionShape::of::<Hum>().problem().expect("a problem");
        assert!(problem.contains(":2:5"), "{problem}");
        let mut registry = ActionRegistry::default();
        registry.add::<Hum>();
        assert!(registry.shape("hum").is_none());
    }
}
