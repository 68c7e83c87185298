//! The plugin: what a game adds, and the order in which things happen.

use crate::actor_turns::{TurnParser, TurnQueue, take_turns};
use crate::app::add_built_in_actions;
use crate::authoring::assets::{AuthoringPlugin, EngineScript, ScriptLoading};
use crate::base::clock::{DramatisClock, ManualClock, follow_time};
use crate::base::counters::DramatisCounters;
use crate::base::seed::WorldSeed;
use crate::engine::{DefaultEngine, Engine, ScriptedEngine, SharedEngine};
use crate::events::{self, Outbox, send_outgoing};
use crate::gate::CustomChecks;
use crate::memory::DormantMinds;
use crate::npc::{KnownNames, PlayerId, QueuePolicy};
use crate::pipeline::expectancy::{self, RustRules};
use crate::pipeline::hook::InstalledHook;
use crate::pipeline::prompt::{self, PromptBudget};
use crate::pipeline::run::{ActiveRun, DialoguePolicy, ReadyNpcs, RunHistory, end_cancelled};
use crate::pipeline::{
    MutationGuards, fallback, inference, interaction, mutation, retrieval, retry, snapshot,
    validation,
};
use crate::story::ActiveStory;
use crate::world::refresh::note_removals;
use crate::world::tracker::WorldTracker;
use crate::world::{ActionRegistry, TurnOf, WorldFacts, WorldFlags, WorldIndex};
use bevy::app::PluginGroupBuilder;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use std::sync::Arc;

/// The nine components, in order, in one schedule (default `Update`). One pass a frame: a failed attempt goes on from
/// [`PipelineSystems::Snapshot`] in the next frame.
///
/// Order your own systems against them; results leave after [`PipelineSystems::Fallback`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PipelineSystems {
    /// Cancelled runs end, requests become runs.
    Interaction,
    /// Runs get their constraints.
    Expectancy,
    /// Runs get their memories.
    Retrieval,
    /// The input of an attempt is frozen.
    Snapshot,
    /// Prompts are written.
    Prompt,
    /// Calls start, and what has arrived is collected.
    Inference,
    /// Replies are judged.
    Validation,
    /// Turns of actors are taken, and what was approved happens.
    Mutation,
    /// Failed attempts are retried in the next frame, or an authored line is spoken.
    Fallback,
}

/// After the pipeline: results go out.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultSystems;

/// Where replies come from.
#[derive(Clone)]
pub enum EngineSource {
    /// An engine.
    Engine(SharedEngine),
    /// A script, loaded by the asset server and reloaded when it changes.
    Script(String),
}

impl<E: Engine> From<E> for EngineSource {
    fn from(engine: E) -> Self {
        Self::Engine(Arc::new(engine))
    }
}

/// Everything: add this.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// App::new().add_plugins((MinimalPlugins, DramatisPlugins::new(ScriptedEngine::saying(["Well met."]))));
/// ```
pub struct DramatisPlugins {
    engine: EngineSource,
    schedule: Interned<dyn ScheduleLabel>,
    strict: bool,
}

impl DramatisPlugins {
    /// With this engine, in `Update`.
    #[must_use]
    pub fn new(engine: impl Into<EngineSource>) -> Self {
        Self {
            engine: engine.into(),
            schedule: Update.intern(),
            strict: false,
        }
    }

    /// With authored lines alone: no engine at all.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(ScriptedEngine::silent())
    }

    /// In another schedule.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// A file that cannot be used ends the app with an error exit.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }
}

impl PluginGroup for DramatisPlugins {
    fn build(self) -> PluginGroupBuilder {
        let (engine, script) = match self.engine {
            EngineSource::Engine(engine) => (engine, None),
            EngineSource::Script(path) => {
                let engine = ScriptedEngine::silent();
                let shared: SharedEngine = Arc::new(engine.clone());
                (shared, Some(EngineScript { engine, path }))
            }
        };
        PluginGroupBuilder::start::<Self>()
            .add(PipelinePlugin {
                engine: DefaultEngine::new(engine),
                schedule: self.schedule,
            })
            .add(AuthoringPlugin {
                script,
                strict: self.strict,
                schedule: self.schedule,
            })
    }
}

/// The pipeline without asset loading.
pub struct PipelinePlugin {
    engine: DefaultEngine,
    schedule: Interned<dyn ScheduleLabel>,
}

impl Plugin for PipelinePlugin {
    fn build(&self, app: &mut App) {
        use PipelineSystems as S;
        events::register(app);
        note_removals(app);
        app.insert_resource(self.engine.clone())
            .init_resource::<WorldSeed>()
            .init_resource::<DramatisClock>()
            .init_resource::<DramatisCounters>()
            .init_resource::<Outbox>()
            .init_resource::<ReadyNpcs>()
            .init_resource::<interaction::RunNumbers>()
            .init_resource::<RunHistory>()
            .init_resource::<DialoguePolicy>()
            .init_resource::<QueuePolicy>()
            .init_resource::<PlayerId>()
            .init_resource::<KnownNames>()
            .init_resource::<PromptBudget>()
            .init_resource::<DormantMinds>()
            .init_resource::<ActiveStory>()
            .init_resource::<WorldIndex>()
            .init_resource::<WorldFlags>()
            .init_resource::<WorldFacts>()
            .init_resource::<WorldTracker>()
            .init_resource::<TurnOf>()
            .init_resource::<ActionRegistry>()
            .init_resource::<TurnQueue>()
            .init_resource::<TurnParser>()
            .init_resource::<RustRules>()
            .init_resource::<CustomChecks>()
            .init_resource::<MutationGuards>();
        add_built_in_actions(app);
        app.configure_sets(
            self.schedule,
            (
                S::Interaction,
                S::Expectancy,
                S::Retrieval,
                S::Snapshot,
                S::Prompt,
                S::Inference,
                S::Validation,
                S::Mutation,
                S::Fallback,
                ResultSystems,
            )
                .chain(),
        );
        let running = any_with_component::<ActiveRun>;
        app.add_systems(
            self.schedule,
            (
                (
                    follow_time.run_if(not(resource_exists::<ManualClock>)),
                    end_cancelled.run_if(running),
                    interaction::start_runs
                        .run_if(|ready: Res<ReadyNpcs>| !ready.0.is_empty())
                        .run_if(not(resource_exists::<ScriptLoading>)),
                )
                    .chain()
                    .in_set(S::Interaction),
                expectancy::find_constraints
                    .run_if(running)
                    .in_set(S::Expectancy),
                retrieval::find_memories
                    .run_if(running)
                    .in_set(S::Retrieval),
                snapshot::freeze_snapshots
                    .run_if(running)
                    .in_set(S::Snapshot),
                prompt::write_prompts.run_if(running).in_set(S::Prompt),
                (
                    inference::start_calls(self.engine.engine.clone()),
                    inference::poll_calls,
                    inference::speak_thinking_lines,
                )
                    .chain()
                    .run_if(running)
                    .in_set(S::Inference),
                validation::judge_replies
                    .run_if(running)
                    .in_set(S::Validation),
                (
                    take_turns.run_if(|queue: Res<TurnQueue>| !queue.is_empty()),
                    mutation::commit.run_if(running),
                )
                    .chain()
                    .in_set(S::Mutation),
                (
                    retry::note_failures.run_if(resource_exists::<InstalledHook>),
                    retry::decide,
                    fallback::speak_fallbacks,
                )
                    .chain()
                    .run_if(running)
                    .in_set(S::Fallback),
                send_outgoing
                    .run_if(|outbox: Res<Outbox>| !outbox.0.is_empty())
                    .in_set(ResultSystems),
            ),
        );
    }
}

#[cfg(feature = "http")]
impl crate::engine::http::FromEnv {
    /// The server that the environment names; where it names none, or names it wrongly, which is logged, the script
    /// at this asset path.
    #[must_use]
    pub fn or_scripted(self, path: impl Into<String>) -> EngineSource {
        match self.engine() {
            Some(Ok(engine)) => engine.into(),
            Some(Err(error)) => {
                log::error!("the environment names no usable server: {error}");
                EngineSource::Script(path.into())
            }
            None => EngineSource::Script(path.into()),
        }
    }
}
