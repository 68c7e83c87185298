//! A game without a window, driven by hand.

use super::authored;
use super::events::{self, EventLog, GameEvent, ObservedEvents, SpokenLine};
use crate::actor_turns::{ActorCommandsExt, TurnQueue};
use crate::authoring::StoryBook;
use crate::base::clock::{DramatisClock, ManualClock};
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millis;
use crate::memory::Mind;
use crate::npc::{NpcCommandsExt, Player, Request, RequestError, RequestQueue};
use crate::outbox::SentEvents;
use crate::pipeline::ActiveRun;
use crate::pipeline::{AttemptLog, AttemptRecord, Outcome, RunHistory};
use crate::plugin::{DramatisPlugins, EngineSource};
use crate::staging::StoryCommandsExt;
use crate::staging::firing::are_due;
use crate::world::{ActionRegistry, NpcAction, TurnRecord, WorldIndex};
use bevy::app::PluginsState;
use bevy::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// How many frames [`TestGame::run_until_idle`] plays at most. A conversation with a test engine takes a few.
pub const MAX_FRAMES: usize = 200;

/// An [`App`] with the plugin, without a window. Nothing happens by itself: the test plays each frame, and moves the
/// clocks with [`TestGame::advance`].
///
/// It keeps every event that the plugin sends. The methods named `take_..` return what has come since they were last
/// called, and remove it from what is kept.
pub struct TestGame {
    /// The app. Add the game's own plugins, observers and bindings to it before the first frame.
    pub app: App,
    /// Who speaks in [`TestGame::say`]: an entity with a [`Player`] component.
    pub player: Entity,
}

impl TestGame {
    /// A game with only [`DramatisPlugins`] with this engine. Sealed characters ask it, too, unless it is a script in
    /// a file.
    pub fn new(engine: impl Into<EngineSource>) -> Self {
        let mut app = App::new();
        let engine = engine.into();
        let plugins = match engine.clone() {
            EngineSource::Engine(shared) => DramatisPlugins::new(engine).with_sealed_shared(shared),
            EngineSource::Script(_) => DramatisPlugins::new(engine),
        };
        app.add_plugins(plugins);
        Self::from_app(app)
    }

    /// A game in an app that the caller has built. Its plugins include [`DramatisPlugins`], and none that opens a window.
    pub fn from_app(mut app: App) -> Self {
        app.insert_resource(ManualClock);
        events::listen(&mut app);
        app.init_resource::<SentEvents>();
        let player = app.world_mut().spawn(Player).id();
        Self { app, player }
    }

    /// Keeps [`Applied<A>`](crate::events::Applied) too, for an action of the game's own. The built-in actions need no
    /// such call.
    pub fn listen_to_action<A: NpcAction>(&mut self) -> &mut Self {
        events::listen_to_action::<A>(&mut self.app);
        self
    }

    /// The world of the app: its entities, components and resources.
    #[must_use]
    pub fn world(&self) -> &World {
        self.app.world()
    }

    /// The world of the app, to change it between frames.
    pub fn world_mut(&mut self) -> &mut World {
        self.app.world_mut()
    }
}

/// # What is in the game
impl TestGame {
    /// Plays a story given as RON text, which refers to no other file. Actions that the game has added are known to it.
    ///
    /// # Panics
    /// When the text has errors.
    pub fn install_story(&mut self, ron: &str) {
        let book = authored::story(ron, self.world().resource::<ActionRegistry>());
        self.install(book);
    }

    /// Plays a story from a file. Files that it refers to are looked for next to it, then in `assets/`.
    ///
    /// # Panics
    /// When the file cannot be read or has errors.
    pub fn install_story_file(&mut self, path: impl AsRef<Path>) {
        let registry = self.world().resource::<ActionRegistry>();
        let book = authored::story_from_file(path.as_ref(), registry);
        self.install(book);
    }

    fn install(&mut self, book: StoryBook) {
        let world = self.world_mut();
        world.commands().install_story(Arc::new(book));
        world.flush();
    }

    /// Spawns a character given as RON text, which refers to no other file. A story whose locations or things it needs
    /// is installed before.
    ///
    /// # Panics
    /// When the text has errors.
    pub fn spawn_npc(&mut self, ron: &str) -> Entity {
        self.world_mut().spawn(authored::character(ron)).id()
    }

    /// Spawns a character from a file. Files that it refers to are looked for next to it, then in `assets/`.
    ///
    /// # Panics
    /// When the file cannot be read or has errors.
    pub fn spawn_npc_file(&mut self, path: impl AsRef<Path>) -> Entity {
        let character = authored::character_from_file(path.as_ref());
        self.world_mut().spawn(character).id()
    }

    /// The entity with this id in the judged world.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn entity(&self, id: &str) -> Entity {
        let index = self.world().resource::<WorldIndex>();
        index
            .get(id)
            .unwrap_or_else(|| panic!("no entity has the id \"{id}\""))
    }
}

/// # What happens
impl TestGame {
    /// The player says something to a character. It has no effect before the next frame.
    pub fn say(&mut self, npc: Entity, text: &str) {
        let player = self.player;
        self.command(npc, |npc| {
            npc.hear(player, text);
        });
    }

    /// The player says something to a character, and frames are played until the game is idle.
    ///
    /// # Panics
    /// As [`TestGame::run_until_idle`].
    pub fn talk(&mut self, npc: Entity, text: &str) {
        self.say(npc, text);
        self.run_until_idle();
    }

    /// Gives a character a reason to respond. It has no effect before the next frame.
    pub fn interact(&mut self, npc: Entity, request: Request) {
        self.command(npc, |npc| {
            npc.interact(request);
        });
    }

    /// Ends the run of a character. It ends in the next frame.
    pub fn cancel_run(&mut self, npc: Entity) {
        self.command(npc, |npc| {
            npc.cancel_run();
        });
    }

    /// An actor does what these words say, such as `open the door`. The turn is taken in the next frame.
    pub fn act(&mut self, actor: Entity, words: &str) {
        self.command(actor, |actor| {
            actor.act(words);
        });
    }

    /// An actor does this action. The turn is taken in the next frame.
    pub fn perform<A: NpcAction>(&mut self, actor: Entity, action: A) {
        self.command(actor, |actor| {
            actor.perform(action);
        });
    }

    fn command(&mut self, entity: Entity, what: impl FnOnce(&mut EntityCommands)) {
        let world = self.world_mut();
        what(&mut world.commands().entity(entity));
        world.flush();
    }

    /// Makes these the messages of the adventure, as if they had been told, to set up a test. The turns have the numbers that the
    /// messages have.
    pub fn tell(&mut self, messages: Vec<crate::adventure::Message>) {
        super::authored::fill_stream(self.world_mut(), messages);
    }

    /// Plays one frame. The first one finishes the app's plugins before, as running an app does.
    pub fn frame(&mut self) {
        if self.app.plugins_state() < PluginsState::Finished {
            self.app.finish();
        }
        if self.app.plugins_state() < PluginsState::Cleaned {
            self.app.cleanup();
        }
        self.app.update();
    }

    /// Plays this many frames, one after the other.
    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    /// Moves game time and call time on by this number of milliseconds, without playing a frame.
    pub fn advance(&mut self, millis: i64) {
        let mut clock = self.world_mut().resource_mut::<DramatisClock>();
        clock.game = clock.game.after(Millis(millis));
        clock.call = clock.call.after(Millis(millis));
    }

    /// Plays at least one frame, and frames until no run is in flight and nothing waits.
    ///
    /// Nothing sleeps between the frames. An engine that answers from another thread or over a network, and characters
    /// that an asset server is loading, need a loop of the test's own that waits.
    ///
    /// # Panics
    /// After 200 frames: what never ends is a failed test.
    pub fn run_until_idle(&mut self) {
        if let Err(busy) = self.try_run_until_idle(MAX_FRAMES) {
            panic!("{busy}");
        }
    }

    /// As [`TestGame::run_until_idle`], with a limit of its own. Returns how many frames it played.
    ///
    /// # Errors
    /// What is still going on after `max_frames` frames.
    pub fn try_run_until_idle(&mut self, max_frames: usize) -> Result<usize, String> {
        for played in 1..=max_frames {
            self.frame();
            if self.busy(played).is_none() && !are_due(self.world_mut()) {
                return Ok(played);
            }
        }
        self.busy(max_frames).map_or(Ok(max_frames), Err)
    }

    /// What is still going on.
    fn busy(&mut self, frames: usize) -> Option<String> {
        let world = self.world_mut();
        let mut active = world.query_filtered::<(), With<ActiveRun>>();
        let runs = active.iter(world).count();
        let mut queues = world.query::<&RequestQueue>();
        let requests: usize = queues.iter(world).map(RequestQueue::len).sum();
        let turns = world.resource::<TurnQueue>().len();
        (runs + requests + turns > 0).then(|| {
            format!(
                "after {frames} frames the game is still busy: {runs} runs in flight, {requests} requests and {turns} turns waiting"
            )
        })
    }
}

/// # What the game was told
impl TestGame {
    /// What observers were told, in order.
    pub fn take_events(&mut self) -> Vec<GameEvent> {
        self.observed().take(|_, event| Some(event.clone()))
    }

    /// What observers were told about this character or actor, in order.
    pub fn take_events_of(&mut self, id: &str) -> Vec<GameEvent> {
        self.observed()
            .take(|about, event| (about == id).then(|| event.clone()))
    }

    /// The names of the events that observers were told, in order, such as `Spoke`.
    pub fn take_event_names(&mut self) -> Vec<&'static str> {
        self.observed().take(|_, event| Some(event.name()))
    }

    /// The lines that characters spoke, as observers were told.
    pub fn take_lines(&mut self) -> Vec<SpokenLine> {
        self.observed().take(|_, event| match event {
            GameEvent::Spoke(line) => Some(line.clone()),
            _ => None,
        })
    }

    /// The actions of one kind that were done, as observers were told.
    ///
    /// # Panics
    /// When the fields of an action cannot be read back.
    pub fn take_actions<A: NpcAction>(&mut self) -> Vec<A> {
        self.observed().take(|_, event| match event {
            GameEvent::Applied { action, fields } if *action == A::NAME => {
                let action = serde_json::from_value(fields.clone());
                Some(action.unwrap_or_else(|error| panic!("the action \"{}\": {error}", A::NAME)))
            }
            _ => None,
        })
    }

    /// The events of one type that were sent, in order: of the plugin, or of the game's own through
    /// [`Outbox`](crate::events::Outbox).
    pub fn take_sent<E: Event>(&mut self) -> Vec<E> {
        let mut sent = self.world_mut().resource_mut::<SentEvents>();
        let (wanted, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut sent.0)
            .into_iter()
            .partition(|event| event.is::<E>());
        sent.0 = rest;
        let wanted = wanted.into_iter().filter_map(|event| event.downcast().ok());
        wanted.map(|event| *event).collect()
    }

    /// The turns that actors took, as observers were told.
    pub fn take_turns(&mut self) -> Vec<Arc<TurnRecord>> {
        self.observed().take(|_, event| match event {
            GameEvent::TurnEnded(record) => Some(record.clone()),
            _ => None,
        })
    }

    /// How runs ended, as observers were told.
    pub fn take_outcomes(&mut self) -> Vec<Outcome> {
        self.observed().take(|_, event| match event {
            GameEvent::RunEnded(outcome) => Some(outcome.clone()),
            _ => None,
        })
    }

    /// Why requests were refused, as observers were told.
    pub fn take_refusals(&mut self) -> Vec<RequestError> {
        self.observed().take(|_, event| match event {
            GameEvent::RequestRefused(error) => Some(error.clone()),
            _ => None,
        })
    }

    /// Forgets all that the game was told, for a test that plays for long: what is not taken is kept otherwise.
    pub fn forget_events(&mut self) {
        self.take_events();
        self.world_mut().resource_mut::<SentEvents>().0.clear();
    }

    fn observed(&mut self) -> &mut EventLog {
        let log = self.world_mut().resource_mut::<ObservedEvents>();
        &mut log.into_inner().0
    }
}

/// # The results
impl TestGame {
    /// The mind of a character: all that it remembers.
    ///
    /// # Panics
    /// When the entity is not a character.
    #[must_use]
    pub fn mind(&self, npc: Entity) -> &Mind {
        let mind = self.world().get::<Mind>(npc);
        mind.expect("the entity is not a character: it has no mind")
    }

    /// What has happened so far, in numbers.
    #[must_use]
    pub fn counters(&self) -> DramatisCounters {
        *self.world().resource::<DramatisCounters>()
    }

    /// The runs that have ended and are still kept, oldest first.
    #[must_use]
    pub fn runs(&self) -> Vec<Entity> {
        self.world().resource::<RunHistory>().iter().collect()
    }

    /// A component of the run that ended last, such as `AssembledPrompt`.
    ///
    /// # Panics
    /// When no run has ended, or it has no such component.
    #[must_use]
    pub fn last_run<C: Component>(&self) -> &C {
        let run = *self.runs().last().expect("no run has ended");
        let component = self.world().get::<C>(run);
        component.unwrap_or_else(|| panic!("the last run has no {}", std::any::type_name::<C>()))
    }

    /// The attempts of the run that ended last, in order: prompt, reply, verdict.
    ///
    /// # Panics
    /// When no run has ended.
    #[must_use]
    pub fn attempts(&self) -> &[AttemptRecord] {
        &self.last_run::<AttemptLog>().0
    }
}
