//! The plugin: what a game adds, and the order in which things happen.
//!
//! [`DramatisPlugins`] is all that most games need: it loads files, runs the nine steps, and plays adventures, plans and days.
//!
//! | set | what happens |
//! |---|---|
//! | [`LoadingSystems`] | loaded files reach the game |
//! | [`PipelineSystems`] | the nine steps, in order |
//! | [`ResultSystems`] | events are sent |
//! | `JournalSystems` | a journal, where one is kept, writes down what else has changed |

pub(crate) use crate::loading::AuthoringPlugin;
pub use crate::loading::dramatis_ready;
pub use crate::pipeline::driver::systems::{LoadingSystems, PipelineSystems, ResultSystems};

use crate::actor_turns::{TurnParser, TurnQueue, take_turns};
use crate::adventure::plugin::AdventurePlugin;
use crate::app::add_built_in_actions;
use crate::base::clock::{DramatisClock, GameTimeOffset, ManualClock};
use crate::base::counters::DramatisCounters;
use crate::base::fixed::{Millionths, Millis};
use crate::base::seed::WorldSeed;
use crate::base::time::{CallTime, GameTime};
use crate::engine::sealed::SealedSeam;
use crate::engine::{
    DefaultEngine, Engine, EngineIdentity, Engines, NpcEngine, ScriptedEngine, SharedEngine,
};
use crate::gate::CustomChecks;
#[cfg(feature = "store")]
use crate::journal::SavesPlugin;
use crate::limits::Limits;
use crate::loading::{EngineScript, ScriptLoading};
use crate::memory::DormantMinds;
use crate::npc::lifecycle::observe_lifecycle;
use crate::npc::{
    Baked, Chattiness, HeldStates, KnownNames, Npc, NpcLimits, NpcPolicy, Player, PlayerId,
    QueuePolicy, ReadyNpcs, Thinking,
};
use crate::outbox::{Outbox, send_outgoing};
use crate::pipeline::Overhearing;
use crate::pipeline::diary::{begin_due_diaries, may_be_due};
use crate::pipeline::driver::systems::{AdvanceSystems, DramatisSchedule};
use crate::pipeline::driver::{drive, drive_both};
use crate::pipeline::engine_room::give_turns;
use crate::pipeline::engine_room::sealed::SealedBinding;
use crate::pipeline::engine_room::warming::{is_warming, warm_characters};
use crate::pipeline::engine_room::watch_engines::{EngineStatuses, watch_engines};
use crate::pipeline::listening::delivery::JudgePart;
use crate::pipeline::remembering::{HasTalked, begin_due, note_talk};
use crate::pipeline::run::finish::{RunHistory, end_cancelled, trim_history};
use crate::pipeline::run::thinking::speak_thinking_lines;
use crate::pipeline::run::{ActiveRun, RunOf, Runs};
use crate::pipeline::stage::steps::{
    CommitStage, FindStageConstraints, FreezeStage, JudgeStage, WriteStagePrompt,
};
use crate::pipeline::stage::template::StageTemplates;
use crate::pipeline::steps::choice::JudgeChoice;
use crate::pipeline::steps::expectancy::{FindConstraints, RustRules};
use crate::pipeline::steps::fallback::{SpeakFallback, on_active_run_removed, on_run_removed};
use crate::pipeline::steps::inference::{PollCall, StartCall};
use crate::pipeline::steps::interaction::{RunNumbers, start_runs};
use crate::pipeline::steps::mutation::{Commit, MutationGuards};
use crate::pipeline::steps::prompt::{PromptBudget, WritePrompt};
use crate::pipeline::steps::retrieval::RetrieveMemories;
use crate::pipeline::steps::retry::DecideRetry;
use crate::pipeline::steps::snapshot::FreezeSnapshot;
use crate::pipeline::steps::validation::JudgeReply;
use crate::plans::plugin::PlansPlugin;
use crate::policy::DialoguePolicy;
use crate::settings::{self, ComesBack, Setting};
use crate::staging::firing::{AuthoredTriggers, fire_triggers, has_firings};
use crate::story::groups::open_groups;
use crate::story::{ActiveStory, Story};
use crate::town::TownPlugin;
use crate::town::plugin::LiveSystems;
use crate::world::refresh::note_places;
use crate::world::tracker::WorldTracker;
use crate::world::{ActionRegistry, Groups, TurnOf, WorldFacts, WorldFlags, WorldIndex};
use bevy::app::PluginGroupBuilder;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::time::{Real, Virtual};
use std::sync::Arc;

/// Where replies come from: an engine, or a script in a file.
#[derive(Clone)]
pub enum EngineSource {
    /// An engine that the game has made.
    Engine(SharedEngine),
    /// A script at this asset path, loaded by the asset server and loaded again when it changes. No run starts before
    /// it is there or has failed to load.
    Script(String),
}

impl From<SharedEngine> for EngineSource {
    fn from(engine: SharedEngine) -> Self {
        Self::Engine(engine)
    }
}

impl<E: Engine> From<E> for EngineSource {
    fn from(engine: E) -> Self {
        Self::Engine(Arc::new(engine))
    }
}

/// The whole plugin, as a group: add this.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// App::new().add_plugins((MinimalPlugins, DramatisPlugins::new(ScriptedEngine::saying(["Well met."]))));
/// ```
///
/// A game that only talks leaves the rest out:
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::adventure::AdventurePlugin;
/// use bevy_dramatis::plans::PlansPlugin;
/// use bevy_dramatis::town::TownPlugin;
/// # use bevy_dramatis::prelude::*;
/// let talk = DramatisPlugins::silent().build();
/// let talk = talk.disable::<AdventurePlugin>().disable::<PlansPlugin>().disable::<TownPlugin>();
/// App::new().add_plugins((MinimalPlugins, talk));
/// ```
pub struct DramatisPlugins {
    engine: EngineSource,
    sealed: SealedBinding,
    schedule: Interned<dyn ScheduleLabel>,
    strict: bool,
}

impl DramatisPlugins {
    /// The plugin with this engine. It runs in `Update`.
    #[must_use]
    pub fn new(engine: impl Into<EngineSource>) -> Self {
        Self {
            engine: engine.into(),
            sealed: SealedBinding::of_nothing(),
            schedule: Update.intern(),
            strict: false,
        }
    }

    /// The plugin without a model: every call fails, and authored lines carry the game.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(ScriptedEngine::silent())
    }

    /// Sets the engine of sealed runs. The plugin passes the bytes of a `SealedInput` to `seam`, and `seam` returns bytes. The game
    /// cannot change it later. Without it, the plugin rejects each sealed run; it never asks the default engine.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_dramatis::engine::{Capabilities, EngineIdentity, SealedSeam};
    /// use bevy_dramatis::npc::NpcPolicy;
    /// use bevy_dramatis::pipeline::RunPolicy;
    /// use bevy_dramatis::prelude::*;
    ///
    /// let oracle = SealedSeam::bound(|input: &[u8]| match input.is_empty() {
    ///     true => Vec::new(),
    ///     false => b"The stars say yes.".to_vec(),
    /// });
    /// let identity = EngineIdentity {
    ///     provider: "astrology".into(),
    ///     model: "stars-1".into(),
    ///     version: None,
    ///     hash: None,
    ///     capabilities: Capabilities::default(),
    /// };
    /// let mut app = App::new();
    /// app.add_plugins((MinimalPlugins, DramatisPlugins::silent().with_sealed(oracle, identity)));
    /// // One character is sealed; all others talk.
    /// app.world_mut().spawn(NpcPolicy(RunPolicy::SEALED));
    /// ```
    #[must_use]
    pub fn with_sealed(mut self, seam: SealedSeam, identity: EngineIdentity) -> Self {
        self.sealed = SealedBinding::of_seam(&Arc::new(seam), &identity);
        self
    }

    /// Sealed runs ask this engine, which the game's code makes: it gets only the bytes of a
    /// `SealedInput`. For tests, and for engines that are not a [`SealedSeam`]. Do not pass an
    /// engine that the environment or a file has chosen.
    #[must_use]
    pub fn with_sealed_engine(self, engine: impl Engine) -> Self {
        self.with_sealed_shared(Arc::new(engine))
    }

    pub(crate) fn with_sealed_shared(mut self, engine: SharedEngine) -> Self {
        self.sealed = SealedBinding::of_engine(&DefaultEngine::new(engine));
        self
    }

    /// Runs the plugin in this schedule instead of `Update`. A journal runs in it too.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// A file that cannot be used ends the app with an error exit. Without it the file is reported, and authored lines carry
    /// the game.
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
        let authoring = AuthoringPlugin::new(self.schedule)
            .strict(self.strict)
            .with_script(script);
        let mut pipeline = PipelinePlugin::with_shared(engine, self.schedule);
        pipeline.sealed = self.sealed;
        let group = PluginGroupBuilder::start::<Self>()
            .add(pipeline)
            .add(AdventurePlugin::new(self.schedule))
            .add(PlansPlugin::new(self.schedule))
            .add(TownPlugin::new(self.schedule));
        #[cfg(feature = "store")]
        let group = group.add(SavesPlugin);
        group.add(authoring)
    }
}

/// The nine steps: talk, and actions of actors. Part of [`DramatisPlugins`].
pub(crate) struct PipelinePlugin {
    engine: DefaultEngine,
    sealed: SealedBinding,
    schedule: Interned<dyn ScheduleLabel>,
}

impl PipelinePlugin {
    fn with_shared(engine: SharedEngine, schedule: Interned<dyn ScheduleLabel>) -> Self {
        Self {
            engine: DefaultEngine::new(engine),
            sealed: SealedBinding::of_nothing(),
            schedule,
        }
    }

    fn init_resources(&self, app: &mut App) {
        app.insert_resource(self.engine.clone())
            .insert_resource(DramatisSchedule(self.schedule))
            .init_resource::<ActionRegistry>()
            .init_resource::<ActiveStory>()
            .init_resource::<CustomChecks>()
            .init_resource::<DialoguePolicy>()
            .init_resource::<DormantMinds>()
            .init_resource::<DramatisClock>()
            .init_resource::<DramatisCounters>()
            .init_resource::<Engines>()
            .init_resource::<EngineStatuses>()
            .init_resource::<Groups>()
            .init_resource::<Limits>()
            .init_resource::<KnownNames>()
            .init_resource::<MutationGuards>()
            .init_resource::<Outbox>()
            .init_resource::<PlayerId>()
            .init_resource::<PromptBudget>()
            .init_resource::<QueuePolicy>()
            .init_resource::<ReadyNpcs>()
            .init_resource::<RunHistory>()
            .init_resource::<RunNumbers>()
            .init_resource::<RustRules>()
            .init_resource::<StageTemplates>()
            .init_resource::<TurnOf>()
            .init_resource::<TurnParser>()
            .init_resource::<TurnQueue>()
            .init_resource::<WorldFacts>()
            .init_resource::<WorldFlags>()
            .init_resource::<WorldIndex>()
            .init_resource::<WorldSeed>()
            .init_resource::<WorldTracker>();
    }

    /// Types that inspectors and scenes may show. No trusted type is among them.
    fn register_types(app: &mut App) {
        app.register_type::<DialoguePolicy>()
            .register_type::<DramatisClock>()
            .register_type::<DramatisCounters>()
            .register_type::<Limits>()
            .register_type::<KnownNames>()
            .register_type::<ManualClock>()
            .register_type::<Millionths>()
            .register_type::<Millis>()
            .register_type::<Npc>()
            .register_type::<Overhearing>()
            .register_type::<Baked>()
            .register_type::<AuthoredTriggers>()
            .register_type::<Chattiness>()
            .register_type::<HeldStates>()
            .register_type::<NpcEngine>()
            .register_type::<NpcLimits>()
            .register_type::<NpcPolicy>()
            .register_type::<Player>()
            .register_type::<PlayerId>()
            .register_type::<QueuePolicy>()
            .register_type::<RunOf>()
            .register_type::<Runs>()
            .register_type::<Story>()
            .register_type::<Thinking>()
            .register_type::<WorldSeed>();
    }

    fn configure_sets(&self, app: &mut App) {
        use PipelineSystems as S;
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
                AdvanceSystems::Adventures,
                AdvanceSystems::Plans,
                AdvanceSystems::Offers,
                ResultSystems,
            )
                .chain(),
        );
    }
}

/// The settings that saves keep.
fn add_settings(app: &mut App) {
    for setting in [
        Setting::required::<WorldSeed>("seed", ComesBack::WithSave),
        Setting::required::<PlayerId>("player", ComesBack::WithSave),
        Setting::required::<DialoguePolicy>("policy", ComesBack::InReplay),
        Setting::required::<QueuePolicy>("queue", ComesBack::InReplay),
        Setting::required::<PromptBudget>("budget", ComesBack::InReplay),
        crate::npc::limits::GAME_SETTING,
        crate::npc::limits::SETTING,
        crate::npc::policy::SETTING,
        crate::engine::IDENTITY_SETTING,
        crate::story::groups::SETTING,
    ] {
        settings::add(app, setting);
    }
    settings::add_resource::<Overhearing>(app, "overheard");
}

impl Plugin for PipelinePlugin {
    fn build(&self, app: &mut App) {
        use PipelineSystems as S;
        note_places(app);
        observe_lifecycle(app);
        app.add_observer(on_run_removed)
            .add_observer(on_active_run_removed)
            .add_observer(note_talk);
        self.init_resources(app);
        add_settings(app);
        Self::register_types(app);
        self.configure_sets(app);
        add_built_in_actions(app);
        app.add_systems(
            self.schedule,
            open_groups
                .run_if(resource_exists_and_changed::<ActiveStory>)
                .before(S::Interaction),
        );
        let running = any_with_component::<ActiveRun>;
        app.add_systems(
            self.schedule,
            (
                (
                    follow_time
                        .run_if(not(resource_exists::<ManualClock>))
                        .before(LiveSystems),
                    watch_engines.before(LiveSystems),
                    fire_triggers.run_if(has_firings).after(LiveSystems),
                    end_cancelled.run_if(running),
                    start_runs(self.sealed.clone())
                        .run_if(|ready: Option<Res<ReadyNpcs>>| {
                            ready.is_some_and(|ready| !ready.0.is_empty())
                        })
                        .run_if(not(resource_exists::<ScriptLoading>)),
                )
                    .chain()
                    .in_set(S::Interaction),
                drive_both(FindConstraints, FindStageConstraints)
                    .run_if(running)
                    .in_set(S::Expectancy),
                drive(RetrieveMemories).run_if(running).in_set(S::Retrieval),
                drive_both(FreezeSnapshot, FreezeStage)
                    .run_if(running)
                    .in_set(S::Snapshot),
                (
                    drive(JudgeChoice),
                    drive_both(WritePrompt, WriteStagePrompt),
                )
                    .chain()
                    .run_if(running)
                    .in_set(S::Prompt),
                (
                    give_turns,
                    drive(StartCall(self.sealed.clone())),
                    drive(PollCall),
                    speak_thinking_lines,
                )
                    .chain()
                    .run_if(running)
                    .in_set(S::Inference),
                warm_characters
                    .run_if(is_warming)
                    .after(speak_thinking_lines)
                    .in_set(S::Inference),
                (drive(JudgePart), drive_both(JudgeReply, JudgeStage))
                    .chain()
                    .run_if(running)
                    .in_set(S::Validation),
                (
                    take_turns.run_if(|queue: Option<Res<TurnQueue>>| {
                        queue.is_some_and(|queue| !queue.is_empty())
                    }),
                    drive_both(Commit, CommitStage).run_if(running),
                )
                    .chain()
                    .in_set(S::Mutation),
                (
                    (drive(DecideRetry), drive(SpeakFallback))
                        .chain()
                        .run_if(running),
                    (
                        begin_due.run_if(any_with_component::<HasTalked>),
                        begin_due_diaries.run_if(may_be_due),
                    )
                        .chain()
                        .run_if(not(resource_exists::<ScriptLoading>)),
                )
                    .chain()
                    .in_set(S::Fallback),
                (
                    send_outgoing.run_if(|outbox: Option<Res<Outbox>>| {
                        outbox.is_some_and(|outbox| !outbox.is_empty())
                    }),
                    trim_history.run_if(|history: Option<Res<RunHistory>>| {
                        history.is_some_and(|history| history.is_over_cap())
                    }),
                )
                    .chain()
                    .in_set(ResultSystems),
            ),
        );
    }

    fn finish(&self, app: &mut App) {
        // The code knows every action of the game now: offers, judgements and replays depend on these actions from here on.
        let world = app.world_mut();
        world.get_resource_or_init::<ActionRegistry>().freeze();
    }
}

#[cfg(feature = "http")]
impl crate::engine::FromEnv {
    /// The server that the environment names; where it names none, or names it wrongly, which is logged, the script
    /// at this asset path.
    #[must_use]
    pub fn or_scripted(self, path: impl Into<String>) -> EngineSource {
        match self.engine() {
            Some(Ok(engine)) => engine.into(),
            Some(Err(error)) => {
                log::error!(
                    "DRAMATIS_URL or DRAMATIS_SERVER cannot be used, so the script answers: {error}"
                );
                EngineSource::Script(path.into())
            }
            None => EngineSource::Script(path.into()),
        }
    }
}

/// Follows Bevy's clocks.
fn follow_time(
    mut clock: ResMut<DramatisClock>,
    virtual_time: Option<Res<Time<Virtual>>>,
    real_time: Option<Res<Time<Real>>>,
    offset: Option<Res<GameTimeOffset>>,
) {
    if let Some(time) = virtual_time {
        let offset = offset.map(|offset| offset.0).unwrap_or_default();
        clock.game = GameTime(Millis::from(time.elapsed()).0).after(offset);
    }
    if let Some(time) = real_time {
        clock.call = CallTime(Millis::from(time.elapsed()).0);
    }
}
