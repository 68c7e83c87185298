//! Methods that add the game's own actions, conditions, bindings and parser. Call them while you build the app.

use crate::actor_turns::TurnParser;
use crate::adventure::ToolRegistry;
use crate::base::extension::ExtensionError;
use crate::base::ids::Id;
use crate::commit::applied::ActionSenders;
use crate::engine::{Engine, Engines, Stage};
use crate::gate::{CustomCheck, CustomChecks, MemoryChange};
use crate::judged_world::action::actions::{
    Close, Describe, Give, Introduce, MoveTo, Open, PutDown, Speak, Take, Use,
};
use crate::judged_world::words::parser::ActionParser;
use crate::pipeline::steps::expectancy::{RustRule, RustRules};
use crate::pipeline::steps::mutation::MutationGuards;
use crate::plans::{Answer, CheckedStep, PlanChecks, PlanStep};
use crate::proposal::ToolSpec;
use crate::recorded::{self, RecordedInput};
use crate::settings;
use crate::world::WorldRead;
use crate::world::bindings;
use crate::world::tracker::WorldTracker;
use crate::world::{ActionRegistry, ActionScene, NpcAction, WorldValue};
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Methods for `App`: what a game adds while the app is built.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
///
/// #[derive(Component)]
/// struct Door {
///     locked: bool,
/// }
///
/// #[derive(Resource)]
/// struct Weather(String);
///
/// App::new()
///     .add_plugins(DramatisPlugins::silent())
///     // The rulebook's `Attribute(Target, "locked", true)` now reads this component, and its effects write it.
///     .bind_attribute::<Door>("locked", |door| door.locked.into(), |door, value| door.locked = value.truthy())
///     .bind_world_fact::<Weather>("weather", |weather| weather.0.as_str().into())
///     .add_action_condition("by_daylight", |scene| !scene.world.flag("night"));
/// ```
pub trait DramatisAppExt {
    /// Adds a typed action of the game. When the action is done, the game gets the event
    /// [`Applied<A>`](crate::events::Applied).
    fn add_npc_action<A: NpcAction>(&mut self) -> &mut Self;

    /// Adds a condition that rulebooks use as `Custom("name")`. It must be pure. If it panics, the check fails.
    fn add_action_condition(
        &mut self,
        name: impl Into<String>,
        condition: impl Fn(&ActionScene) -> bool + Send + Sync + 'static,
    ) -> &mut Self;

    /// Binds a component to an attribute: of an entity that has the component, the attribute is read and written in it. Locations
    /// have no attributes.
    ///
    /// `get` must return what `set` was given: later actions of a turn are judged, and its record is replayed, as if it did.
    /// When several bindings of one name fit an entity, the first one counts.
    fn bind_attribute<C: Component<Mutability = Mutable>>(
        &mut self,
        name: &'static str,
        get: impl Fn(&C) -> WorldValue + Send + Sync + 'static,
        set: impl Fn(&mut C, &WorldValue) + Send + Sync + 'static,
    ) -> &mut Self;

    /// Gives each thing of the judged world that has this kind or id a component of the game, as soon as it has a
    /// [`WorldId`](crate::world::WorldId): `attach::<Door>("door")` for every door of the story, `attach::<Player>("ann")` for one
    /// entity. The component begins as its default, with the thing's attributes that
    /// [`bind_attribute`](Self::bind_attribute) binds to it. An entity that has the component keeps its own.
    fn attach<C: Component + Default>(&mut self, kind_or_id: &'static str) -> &mut Self;

    /// Makes a resource a world fact. The game changes the fact by changing the resource.
    fn bind_world_fact<R: Resource>(
        &mut self,
        key: &'static str,
        get: impl Fn(&R) -> WorldValue + Send + Sync + 'static,
    ) -> &mut Self;

    /// Adds a rule whose condition is written in Rust. While the condition holds, the rule's constraints apply at the level of
    /// the world. A rule that errs or panics is skipped and logged.
    fn add_rule(&mut self, rule: RustRule) -> &mut Self;

    /// Adds a check over the dialogue of every reply. If the check errs or panics, the attempt fails: a gate fails closed.
    fn add_check(&mut self, check: CustomCheck) -> &mut Self;

    /// Adds a guard over what characters would remember. It sees the character's id and the change, after the gate has
    /// approved it. An error refuses the change and says why; a guard can only refuse.
    fn add_mutation_guard(
        &mut self,
        guard: impl Fn(&str, &MemoryChange) -> std::result::Result<(), ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self;

    /// Adds a tool that extractors of adventures may call; the game hears of each call as
    /// [`ToolCalled`](crate::events::ToolCalled). A tool that cannot be added is logged as an error and left out.
    fn add_tool(&mut self, tool: ToolSpec) -> &mut Self;

    /// Adds a check of plans: it sees the character's id, the steps and the world, and returns the problems, a sentence each.
    /// The model writes a plan with problems again, and the findings name the check as their rule. If the check errs or panics, the
    /// plan has a problem. It must be pure.
    fn add_plan_check(
        &mut self,
        name: impl Into<String>,
        check: impl Fn(
            &Id,
            &[CheckedStep],
            &dyn WorldRead,
        ) -> std::result::Result<Vec<String>, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self;

    /// Adds a gate to those that judge plans: it sees the character's id, the steps and the world, and answers. It can only
    /// tighten: the other gates still judge what it allows. If it errs or panics, it denies. It must be pure.
    fn add_plan_gate(
        &mut self,
        name: impl Into<String>,
        gate: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<Answer, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self;

    /// Adds a cause of risk to the taxonomy: it sees the character's id, the steps and the world, and returns points, which are
    /// added to the others. If it errs or panics, it counts as 100 points. It must be pure.
    fn add_plan_risk(
        &mut self,
        name: impl Into<String>,
        risk: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<u32, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self;

    /// Adds an engine under a name, next to the default one. A stage or a character names it; see `Engines`.
    fn add_engine(&mut self, name: impl Into<String>, engine: impl Engine) -> &mut Self;

    /// Lets the engine of this name serve a stage, except for the characters that name another one with
    /// [`NpcEngine`](crate::engine::NpcEngine). A parser of actions gets its engine from the code that makes it.
    fn set_stage_engine(&mut self, stage: Stage, name: impl Into<String>) -> &mut Self;

    /// Adds a resource of the game as a setting, under this name: the plugin inserts it with its default, the journal records each
    /// change, and a save and a replay restore it. Use it for options, such as a difficulty. A file leaves a setting out while it
    /// has its default. A value with a fraction is not saved, and the log says so. The first setting of a name counts.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_dramatis::prelude::*;
    /// use serde::{Deserialize, Serialize};
    /// #[derive(Resource, Default, PartialEq, Serialize, Deserialize)]
    /// struct Difficulty(u8);
    /// let mut app = App::new();
    /// app.add_plugins((MinimalPlugins, DramatisPlugins::silent()))
    ///     .add_setting::<Difficulty>("my_game.difficulty");
    /// ```
    fn add_setting<S>(&mut self, name: &'static str) -> &mut Self
    where
        S: Resource + Default + PartialEq + Serialize + DeserializeOwned;

    /// Adds a type of recorded input, under this name: the journal records each input that the game gives with
    /// [`commands.record`](crate::recorded::RecordCommandsExt::record), and a replay applies it again. The first input of a name
    /// counts.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_dramatis::prelude::*;
    /// use bevy_dramatis::recorded::{RecordCommandsExt, RecordedInput};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Resource, Default)]
    /// struct Rung(u32);
    /// #[derive(Serialize, Deserialize)]
    /// struct RingBell { times: u32 }
    /// impl RecordedInput for RingBell {
    ///     fn apply(self, world: &mut World) {
    ///         world.resource_mut::<Rung>().0 += self.times;
    ///     }
    /// }
    /// fn on_click(mut commands: Commands) {
    ///     commands.record(RingBell { times: 1 });
    /// }
    /// let mut app = App::new();
    /// app.add_plugins((MinimalPlugins, DramatisPlugins::silent()))
    ///     .init_resource::<Rung>()
    ///     .add_recorded::<RingBell>("bells.ring")
    ///     .add_systems(Update, on_click)
    ///     .update();
    /// assert_eq!(app.world().resource::<Rung>().0, 1);
    /// ```
    fn add_recorded<R: RecordedInput>(&mut self, name: &'static str) -> &mut Self;

    /// Sets the parser that reads the words of [`act`](crate::actor_turns::ActorCommandsExt::act), in place of the built-in
    /// parser.
    fn set_action_parser(&mut self, parser: impl ActionParser) -> &mut Self;
}

impl DramatisAppExt for App {
    fn add_npc_action<A: NpcAction>(&mut self) -> &mut Self {
        let world = self.world_mut();
        world.get_resource_or_init::<ActionRegistry>().add::<A>();
        world.get_resource_or_init::<ActionSenders>().add::<A>();
        self
    }

    fn add_setting<S>(&mut self, name: &'static str) -> &mut Self
    where
        S: Resource + Default + PartialEq + Serialize + DeserializeOwned,
    {
        settings::add_resource::<S>(self, name);
        self
    }

    fn add_recorded<R: RecordedInput>(&mut self, name: &'static str) -> &mut Self {
        recorded::add::<R>(self, name);
        self
    }

    fn add_action_condition(
        &mut self,
        name: impl Into<String>,
        condition: impl Fn(&ActionScene) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        let mut registry = self.world_mut().get_resource_or_init::<ActionRegistry>();
        registry.add_function(name, condition);
        self
    }

    fn bind_attribute<C: Component<Mutability = Mutable>>(
        &mut self,
        name: &'static str,
        get: impl Fn(&C) -> WorldValue + Send + Sync + 'static,
        set: impl Fn(&mut C, &WorldValue) + Send + Sync + 'static,
    ) -> &mut Self {
        self.init_resource::<WorldTracker>();
        bindings::bind_attribute(self.world_mut(), name, get, set);
        self
    }

    fn attach<C: Component + Default>(&mut self, kind_or_id: &'static str) -> &mut Self {
        self.add_observer(bindings::attach::<C>(kind_or_id))
    }

    fn bind_world_fact<R: Resource>(
        &mut self,
        key: &'static str,
        get: impl Fn(&R) -> WorldValue + Send + Sync + 'static,
    ) -> &mut Self {
        bindings::bind_world_fact(self.world_mut(), key, get);
        self
    }

    fn add_rule(&mut self, rule: RustRule) -> &mut Self {
        let world = self.world_mut();
        world.get_resource_or_init::<RustRules>().0.push(rule);
        self
    }

    fn add_tool(&mut self, tool: ToolSpec) -> &mut Self {
        let mut tools = self.world_mut().get_resource_or_init::<ToolRegistry>();
        if let Err(error) = tools.add(tool) {
            log::error!("{error}");
        }
        self
    }

    fn add_check(&mut self, check: CustomCheck) -> &mut Self {
        let world = self.world_mut();
        world.get_resource_or_init::<CustomChecks>().0.push(check);
        self
    }

    fn add_mutation_guard(
        &mut self,
        guard: impl Fn(&str, &MemoryChange) -> std::result::Result<(), ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self {
        let world = self.world_mut();
        world.get_resource_or_init::<MutationGuards>().add(guard);
        self
    }

    fn add_plan_check(
        &mut self,
        name: impl Into<String>,
        check: impl Fn(
            &Id,
            &[CheckedStep],
            &dyn WorldRead,
        ) -> std::result::Result<Vec<String>, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self {
        let mut checks = self.world_mut().get_resource_or_init::<PlanChecks>();
        checks.add_check(name.into(), check);
        self
    }

    fn add_plan_gate(
        &mut self,
        name: impl Into<String>,
        gate: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<Answer, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self {
        let mut checks = self.world_mut().get_resource_or_init::<PlanChecks>();
        checks.add_gate(name.into(), gate);
        self
    }

    fn add_plan_risk(
        &mut self,
        name: impl Into<String>,
        risk: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<u32, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> &mut Self {
        let mut checks = self.world_mut().get_resource_or_init::<PlanChecks>();
        checks.add_risk(name.into(), risk);
        self
    }

    fn add_engine(&mut self, name: impl Into<String>, engine: impl Engine) -> &mut Self {
        let mut engines = self.world_mut().get_resource_or_init::<Engines>();
        engines.add(name, engine);
        self
    }

    fn set_stage_engine(&mut self, stage: Stage, name: impl Into<String>) -> &mut Self {
        let mut engines = self.world_mut().get_resource_or_init::<Engines>();
        engines.assign(stage, name);
        self
    }

    fn set_action_parser(&mut self, parser: impl ActionParser) -> &mut Self {
        self.insert_resource(TurnParser(Arc::new(parser)))
    }
}

/// Adds the built-in actions, except those whose name the game has given to its own action.
pub(crate) fn add_built_in_actions(app: &mut App) {
    fn add<A: NpcAction>(app: &mut App) {
        let mut senders = app.world_mut().get_resource_or_init::<ActionSenders>();
        if !senders.knows(A::NAME) {
            senders.add::<A>();
        }
    }
    add::<MoveTo>(app);
    add::<Take>(app);
    add::<PutDown>(app);
    add::<Give>(app);
    add::<Open>(app);
    add::<Close>(app);
    add::<Use>(app);
    add::<Speak>(app);
    add::<Introduce>(app);
    add::<Describe>(app);
}
