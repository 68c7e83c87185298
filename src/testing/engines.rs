//! Engines for tests: one that answers from a closure, one whose calls a test answers by hand.

use crate::base::lock::lock;
use crate::engine::{Capabilities, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest};
use crossbeam_channel::{Sender, TrySendError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The longest prompt, in characters, that [`FnEngine`] and [`ManualEngine`] accept.
const CONTEXT_CHARS: usize = 32_000;
/// How many events a [`ManualCall`] can hold that the pipeline has not read yet.
const MAX_UNREAD_EVENTS: usize = 64;

/// What a test engine says of itself: its longest prompt has `context_chars` characters.
pub(super) fn identity(context_chars: usize) -> EngineIdentity {
    EngineIdentity {
        capabilities: Capabilities {
            context_chars,
            ..Capabilities::default()
        },
        ..EngineIdentity::new("test", "test")
    }
}

type Answer = dyn Fn(u64, &EngineRequest) -> Vec<EngineEvent> + Send + Sync;

/// An engine that answers each call at once, with what a closure makes of it. Clones share their requests, so keep one
/// to ask for [`FnEngine::requests`].
///
/// ```
/// use bevy_dramatis::engine::EngineEvent;
/// use bevy_dramatis::testing::FnEngine;
/// // The first reply is refused by the gate because it is no valid JSON; the second call is the retry.
/// let engine = FnEngine::new(|call, _| EngineEvent::whole_reply(if call == 0 { "{" } else { "Good evening." }));
/// # assert_eq!(engine.requests(), []);
/// ```
#[derive(Clone)]
pub struct FnEngine {
    answer: Arc<Answer>,
    requests: Arc<Mutex<Vec<EngineRequest>>>,
}

impl FnEngine {
    /// Calls `answer` with the number of the call, from 0, and the request. It returns all events of the call: chunks,
    /// then one [`EngineEvent::Finished`] or [`EngineEvent::Failed`]. Without that last event the call counts as
    /// interrupted.
    pub fn new(
        answer: impl Fn(u64, &EngineRequest) -> Vec<EngineEvent> + Send + Sync + 'static,
    ) -> Self {
        Self {
            answer: Arc::new(answer),
            requests: Arc::default(),
        }
    }

    /// Gives the same reply to every call, in one chunk.
    pub fn always(reply: impl Into<Vec<u8>>) -> Self {
        let reply = reply.into();
        Self::new(move |_, _| EngineEvent::whole_reply(reply.clone()))
    }

    /// All requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<EngineRequest> {
        lock(&self.requests).clone()
    }
}

impl Engine for FnEngine {
    fn identity(&self) -> EngineIdentity {
        identity(CONTEXT_CHARS)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let mut requests = lock(&self.requests);
        let events = (self.answer)(requests.len() as u64, &request);
        requests.push(request);
        EngineCall::ready(events)
    }
}

/// An engine whose calls stay open until a test answers them. Clones share their calls.
///
/// ```
/// use bevy_dramatis::testing::{ManualEngine, TestGame};
/// let engine = ManualEngine::default();
/// let mut game = TestGame::new(engine.clone());
/// let wizard = game.spawn_npc(r#"(id: "wizard")"#);
/// game.say(wizard, "Hello?");
/// game.frames(10);
/// assert!(game.take_lines().is_empty(), "it thinks");
/// engine.last_call().reply("Good evening.");
/// game.run_until_idle();
/// assert_eq!(game.take_lines().len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct ManualEngine(Arc<Mutex<Vec<ManualCall>>>);

impl ManualEngine {
    /// All calls so far, in order, those that have ended too.
    #[must_use]
    pub fn calls(&self) -> Vec<ManualCall> {
        lock(&self.0).clone()
    }

    /// The newest call, whether it is still open or not.
    ///
    /// # Panics
    /// When there was no call yet.
    #[must_use]
    pub fn last_call(&self) -> ManualCall {
        let calls = lock(&self.0);
        calls.last().expect("the engine was not called yet").clone()
    }
}

impl Engine for ManualEngine {
    fn identity(&self) -> EngineIdentity {
        identity(CONTEXT_CHARS)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let (events, receiver) = crossbeam_channel::bounded(MAX_UNREAD_EVENTS);
        let cancelled = Arc::new(AtomicBool::new(false));
        lock(&self.0).push(ManualCall {
            request,
            events,
            cancelled: cancelled.clone(),
        });
        EngineCall::new(receiver, SetOnDrop(cancelled))
    }
}

/// A call that a test answers by hand. It holds at most 64 events that the pipeline has not read yet.
#[derive(Clone)]
pub struct ManualCall {
    /// What the engine was asked in this call.
    pub request: EngineRequest,
    events: Sender<EngineEvent>,
    cancelled: Arc<AtomicBool>,
}

impl ManualCall {
    /// Sends a part of the reply. False when 64 events are unread, or when the call is over.
    pub fn chunk(&self, bytes: impl Into<Vec<u8>>) -> bool {
        self.event(EngineEvent::Chunk(bytes.into()))
    }

    /// Sends an event. False when 64 events are unread, or when the call is over.
    pub fn event(&self, event: EngineEvent) -> bool {
        self.events.try_send(event).is_ok()
    }

    /// Sends a whole reply in one chunk and ends the call. False when the call is over already.
    pub fn reply(&self, text: &str) -> bool {
        let mut events = EngineEvent::whole_reply(text).into_iter();
        events.all(|event| self.event(event))
    }

    /// Whether the game has dropped the call: it reads no more of it, whether it was answered or not.
    #[must_use]
    pub fn is_dropped(&self) -> bool {
        // Asked in this order, a call that is still open never gets the empty chunk.
        self.cancelled.load(Ordering::Acquire)
            && matches!(
                self.events.try_send(EngineEvent::Chunk(Vec::new())),
                Err(TrySendError::Disconnected(_))
            )
    }
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
