//! A small game without a window, a clock of its own and a network: NPCs from RON text, an engine, bounded loops.

#![allow(dead_code, reason = "each test crate uses its own part of it")]

use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, OneFile, StoryBook};
use bevy_dramatis::base::clock::{DramatisClock, ManualClock};
use bevy_dramatis::base::counters::DramatisCounters;
use bevy_dramatis::base::fixed::Millis;
use bevy_dramatis::engine::{
    Capabilities, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest,
};
use bevy_dramatis::events::{
    Applied, AttemptFailed, Remembered, RequestRefused, RunEnded, RunStarted, Spoke, ThinkingLine,
};
use bevy_dramatis::gate::MemoryChange;
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::{
    LoadedCharacter, NpcCommandsExt, Player, Request, RequestError, RequestQueue,
};
use bevy_dramatis::pipeline::ActiveRun;
use bevy_dramatis::pipeline::{AttemptError, AttemptLog, AttemptRecord, Outcome, RunHistory};
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource};
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::story::{ActiveStory, install_world};
use bevy_dramatis::world::actions::{
    Close, Describe, Give, Introduce, MoveTo, Open, PutDown, Speak, Take, Use,
};
use bevy_dramatis::world::{ActionRegistry, NpcAction};
use crossbeam_channel::{Sender, TrySendError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// More frames than any run of a test needs: a hang is a failed test.
pub const MOST_FRAMES: usize = 200;

/// What a game was told, without entities, so that two games can be compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    Started,
    Failed(u32, Option<AttemptError>, Vec<String>),
    Aloud(String),
    Spoke(String, bool),
    Applied(&'static str, String),
    Remembered(MemoryChange),
    Refused(RequestError),
    Ended(Outcome),
}

impl Told {
    /// The kind alone.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Started => "RunStarted",
            Self::Failed(..) => "AttemptFailed",
            Self::Aloud(_) => "ThinkingAloud",
            Self::Spoke(..) => "Spoke",
            Self::Applied(..) => "Applied",
            Self::Remembered(_) => "Remembered",
            Self::Refused(_) => "RequestRefused",
            Self::Ended(_) => "RunEnded",
        }
    }
}

/// Everything that observers were told, in order, with the NPC's id.
#[derive(Resource, Default)]
pub struct ByObservers(pub Vec<(String, Told)>);

/// Everything that readers of messages were told, by kind.
#[derive(Resource, Default)]
pub struct ByMessages(pub Vec<(String, Told)>);

macro_rules! listen {
    ($app:expr, $($event:ident: |$e:ident| $told:expr;)*) => {
        $(
            $app.add_observer(|$e: On<$event>, mut log: ResMut<ByObservers>| {
                let told = $told;
                log.0.push(($e.npc.clone(), told));
            });
            $app.add_systems(Last, |mut read: MessageReader<$event>, mut log: ResMut<ByMessages>| {
                for $e in read.read() {
                    let told = $told;
                    log.0.push(($e.npc.clone(), told));
                }
            });
        )*
    };
}

macro_rules! listen_to_actions {
    ($app:expr, $($action:ty)*) => {
        $(
            $app.add_observer(|e: On<Applied<$action>>, mut log: ResMut<ByObservers>| {
                let told = Told::Applied(<$action>::NAME, format!("{:?}", e.action));
                log.0.push((e.actor.clone(), told));
            });
            $app.add_systems(Last, |mut read: MessageReader<Applied<$action>>, mut log: ResMut<ByMessages>| {
                for e in read.read() {
                    let told = Told::Applied(<$action>::NAME, format!("{:?}", e.action));
                    log.0.push((e.actor.clone(), told));
                }
            });
        )*
    };
}

/// An app with the plugin, driven by hand.
pub struct Game {
    pub app: App,
    pub player: Entity,
}

impl Game {
    /// With this engine, in `Update`.
    pub fn new(engine: impl Into<EngineSource>) -> Self {
        Self::with(App::new(), DramatisPlugins::new(engine))
    }

    /// In an app that has other plugins already.
    pub fn with(mut app: App, plugins: DramatisPlugins) -> Self {
        app.add_plugins(plugins)
            .insert_resource(ManualClock)
            .init_resource::<ByObservers>()
            .init_resource::<ByMessages>();
        listen! { app,
            RunStarted: |e| { let _ = e.run; Told::Started };
            AttemptFailed: |e| Told::Failed(
                e.attempt, e.error, e.failures.iter().map(|f| f.rule.clone()).collect()
            );
            ThinkingLine: |e| Told::Aloud(e.line.clone());
            Spoke: |e| Told::Spoke(e.line.clone(), e.fallback);
            Remembered: |e| Told::Remembered(e.change.clone());
            RequestRefused: |e| Told::Refused(e.error.clone());
            RunEnded: |e| Told::Ended(e.outcome.clone());
        }
        listen_to_actions! { app, MoveTo Take PutDown Give Open Close Use Speak Introduce Describe }
        let player = app.world_mut().spawn(Player).id();
        Self { app, player }
    }

    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Plays a story given as RON.
    pub fn story(&mut self, ron: &str) {
        let book = StoryBook::parse(
            ron.as_bytes(),
            "test.story.ron",
            &OneFile,
            &ActionRegistry::default(),
        )
        .expect("the story");
        let book = Arc::new(book);
        self.world().insert_resource(ActiveStory(book.clone()));
        install_world(self.world(), &book);
    }

    /// Spawns a character given as RON.
    pub fn npc(&mut self, ron: &str) -> Entity {
        let persona = persona(ron);
        self.world().spawn(persona).id()
    }

    /// The player says something.
    pub fn say(&mut self, npc: Entity, text: &str) {
        let player = self.player;
        self.world().commands().entity(npc).hear(player, text);
        self.world().flush();
    }

    pub fn interact(&mut self, npc: Entity, request: Request) {
        self.world().commands().entity(npc).interact(request);
        self.world().flush();
    }

    pub fn cancel(&mut self, npc: Entity) {
        self.world().commands().entity(npc).cancel_run();
        self.world().flush();
    }

    pub fn frame(&mut self) {
        self.app.update();
    }

    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    /// Moves both clocks on.
    pub fn advance(&mut self, millis: i64) {
        let mut clock = self.world().resource_mut::<DramatisClock>();
        clock.game = clock.game.after(Millis(millis));
        clock.call = clock.call.after(Millis(millis));
    }

    /// Frames until no run is in flight and no request waits; fails when that never comes.
    pub fn play(&mut self) {
        for _ in 0..MOST_FRAMES {
            self.frame();
            if self.is_idle() {
                return;
            }
        }
        panic!("after {MOST_FRAMES} frames something is still going on");
    }

    fn is_idle(&mut self) -> bool {
        let world = self.world();
        let active = world
            .query_filtered::<(), With<ActiveRun>>()
            .iter(world)
            .count();
        let waiting = world
            .query::<&RequestQueue>()
            .iter(world)
            .map(RequestQueue::len)
            .sum::<usize>();
        active + waiting == 0
    }

    /// The player says something, and it is played to its end.
    pub fn talk(&mut self, npc: Entity, text: &str) {
        self.say(npc, text);
        self.play();
    }

    /// What observers were told since the last call.
    pub fn told(&mut self) -> Vec<Told> {
        let log = std::mem::take(&mut self.world().resource_mut::<ByObservers>().0);
        log.into_iter().map(|(_, told)| told).collect()
    }

    /// The kinds of what observers were told since the last call.
    pub fn kinds(&mut self) -> Vec<&'static str> {
        self.told().iter().map(Told::name).collect()
    }

    /// What readers of messages were told since the last call.
    pub fn messages(&mut self) -> Vec<Told> {
        let log = std::mem::take(&mut self.world().resource_mut::<ByMessages>().0);
        log.into_iter().map(|(_, told)| told).collect()
    }

    /// The lines spoken since the last call, with whether each is a fallback.
    pub fn lines(&mut self) -> Vec<(String, bool)> {
        let told = self.told().into_iter();
        told.filter_map(|told| match told {
            Told::Spoke(line, fallback) => Some((line, fallback)),
            _ => None,
        })
        .collect()
    }

    /// How runs ended, by message, since the last call.
    pub fn endings(&mut self) -> Vec<Outcome> {
        let told = self.messages().into_iter();
        told.filter_map(|told| match told {
            Told::Ended(outcome) => Some(outcome),
            _ => None,
        })
        .collect()
    }

    /// Why requests were refused, by message, since the last call.
    pub fn refusals(&mut self) -> Vec<RequestError> {
        let told = self.messages().into_iter();
        told.filter_map(|told| match told {
            Told::Refused(error) => Some(error),
            _ => None,
        })
        .collect()
    }

    pub fn mind(&self, npc: Entity) -> &Mind {
        self.app.world().get::<Mind>(npc).expect("a mind")
    }

    pub fn counters(&self) -> DramatisCounters {
        *self.app.world().resource::<DramatisCounters>()
    }

    /// The runs that have ended, oldest first.
    pub fn runs(&self) -> Vec<Entity> {
        self.app.world().resource::<RunHistory>().iter().collect()
    }

    /// The attempts of the run that ended last.
    pub fn attempts(&self) -> Vec<AttemptRecord> {
        let run = *self.runs().last().expect("a run has ended");
        self.app
            .world()
            .get::<AttemptLog>(run)
            .expect("a log")
            .0
            .clone()
    }

    /// A component of the run that ended last.
    pub fn last<C: Component>(&self) -> &C {
        let run = *self.runs().last().expect("a run has ended");
        self.app.world().get::<C>(run).expect("a component")
    }
}

/// A character given as RON.
pub fn persona(ron: &str) -> LoadedCharacter {
    let character = Character::parse(ron.as_bytes(), "test.npc.ron", &OneFile).expect("the NPC");
    LoadedCharacter(Arc::new(character))
}

/// Says who it is: as the scripted engine does.
pub fn identity(context_chars: usize) -> EngineIdentity {
    EngineIdentity {
        provider: "test".to_owned(),
        model: "test".to_owned(),
        version: None,
        capabilities: Capabilities {
            context_chars,
            ..Capabilities::default()
        },
    }
}

type Answer = dyn Fn(u64, &EngineRequest) -> Vec<EngineEvent> + Send + Sync;

/// An engine that answers at once with what a function makes of the call's number and the request.
#[derive(Clone)]
pub struct FnEngine {
    answer: Arc<Answer>,
    requests: Arc<Mutex<Vec<EngineRequest>>>,
}

impl FnEngine {
    pub fn new(
        answer: impl Fn(u64, &EngineRequest) -> Vec<EngineEvent> + Send + Sync + 'static,
    ) -> Self {
        Self {
            answer: Arc::new(answer),
            requests: Arc::default(),
        }
    }

    /// An engine that answers each call with these bytes, whole.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::new(move |_, _| whole(bytes.clone()))
    }

    /// What it was asked.
    pub fn requests(&self) -> Vec<EngineRequest> {
        locked(&self.requests).clone()
    }
}

/// A reply in one chunk.
pub fn whole(bytes: impl Into<Vec<u8>>) -> Vec<EngineEvent> {
    vec![
        EngineEvent::Chunk(bytes.into()),
        EngineEvent::Finished(Finish::Stop),
    ]
}

impl Engine for FnEngine {
    fn identity(&self) -> EngineIdentity {
        identity(32_000)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let mut requests = locked(&self.requests);
        let events = (self.answer)(requests.len() as u64, &request);
        requests.push(request);
        EngineCall::ready(events)
    }
}

/// A call that a test answers by hand.
#[derive(Clone)]
pub struct OpenCall {
    pub request: EngineRequest,
    events: Sender<EngineEvent>,
    cancelled: Arc<AtomicBool>,
}

impl OpenCall {
    /// Sends one chunk. False when the queue is full or nobody listens any more.
    pub fn chunk(&self, bytes: impl Into<Vec<u8>>) -> bool {
        self.event(EngineEvent::Chunk(bytes.into()))
    }

    /// Sends an event. False when the queue is full or nobody listens any more.
    pub fn event(&self, event: EngineEvent) -> bool {
        self.events.try_send(event).is_ok()
    }

    /// Sends a whole reply.
    pub fn reply(&self, text: &str) {
        whole(text).into_iter().for_each(|event| {
            self.event(event);
        });
    }

    /// Whether the receiving end is gone and the guard of the call was dropped.
    pub fn is_cancelled(&self) -> bool {
        let gone = matches!(
            self.events.try_send(EngineEvent::Chunk(Vec::new())),
            Err(TrySendError::Disconnected(_))
        );
        gone && self.cancelled.load(Ordering::Acquire)
    }
}

/// An engine whose calls stay open until a test answers them. Each has a queue of 64 events.
#[derive(Clone, Default)]
pub struct OpenEngine(Arc<Mutex<Vec<OpenCall>>>);

impl OpenEngine {
    pub fn calls(&self) -> Vec<OpenCall> {
        locked(&self.0).clone()
    }

    /// The newest call.
    pub fn call(&self) -> OpenCall {
        self.calls().last().expect("a call").clone()
    }
}

struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Engine for OpenEngine {
    fn identity(&self) -> EngineIdentity {
        identity(32_000)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let (events, receiver) = crossbeam_channel::bounded(64);
        let cancelled = Arc::new(AtomicBool::new(false));
        locked(&self.0).push(OpenCall {
            request,
            events,
            cancelled: cancelled.clone(),
        });
        EngineCall::new(receiver, Guard(cancelled))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
