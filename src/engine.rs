//! Engines: what turns prompt bytes into reply bytes, behind one seam (contract row P6).
//!
//! An engine sees text and returns bytes. It has no handle to the world, no memory and no authority; what it
//! returns is untrusted until the gate has judged it. The seam is chunk-based and never blocks a frame:
//! [`Engine::start`] returns at once with an [`EngineCall`], which the pipeline polls each frame and whose drop
//! cancels the call.
//!
//! | engine | for |
//! |---|---|
//! | [`ScriptedEngine`] | authored replies from RON: examples, tests, CI, a game with no model |
//! | [`HttpEngine`] | every OpenAI-compatible server (feature `http`) |
//! | [`ReplayEngine`] | recorded replies, in the chunks in which they arrived |
//!
//! To bring an engine of your own, implement [`Engine`]: make a bounded channel, hand its receiving end to
//! [`EngineCall::new`] together with whatever cancels the work when it is dropped, and send
//! [`EngineEvent::Chunk`]s and then one [`EngineEvent::Finished`] or [`EngineEvent::Failed`].

#[cfg(feature = "http")]
pub mod http;
pub mod replay;
pub mod reply;
pub mod script;
pub mod scripted;
pub mod sealed;
pub mod settings;
#[cfg(feature = "http")]
mod sse;

#[cfg(feature = "http")]
pub use http::HttpEngine;
pub use replay::{ReplayEngine, ReplayedReply};
pub use reply::Inference;
pub use script::{ReplySpec, ScriptSpec};
pub use scripted::ScriptedEngine;
pub use settings::{GenerationSettings, NpcGeneration};

use crate::base::fixed::Millis;
use crate::proposal::Finish;
use bevy::prelude::Resource;
use crossbeam_channel::{Receiver, TryRecvError};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use thiserror::Error;

/// The role that a call plays. Only [`Stage::Dialogue`] exists outside adventures and plans.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub enum Stage {
    /// A character answers.
    #[default]
    Dialogue,
    /// A played character's intention.
    PersonaIntent,
    /// A character's intention.
    NpcIntent,
    /// The narrator.
    Narrator,
    /// What a played character's states became.
    PersonaExtractor,
    /// What a character's states became.
    CharacterExtractor,
    /// What the narration says about the world.
    LoreExtractor,
    /// A plan.
    Plan,
    /// Prose into actions.
    Parser,
}

impl Stage {
    /// The name in a trace: `dialogue`, `npc_intent`, ...
    #[must_use]
    pub fn snake_case(self) -> &'static str {
        match self {
            Self::Dialogue => "dialogue",
            Self::PersonaIntent => "persona_intent",
            Self::NpcIntent => "npc_intent",
            Self::Narrator => "narrator",
            Self::PersonaExtractor => "persona_extractor",
            Self::CharacterExtractor => "character_extractor",
            Self::LoreExtractor => "lore_extractor",
            Self::Plan => "plan",
            Self::Parser => "parser",
        }
    }
}

/// What an engine can do. A stage that needs more than its engine has is refused with the reason (S7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Obeys a JSON schema.
    pub json: bool,
    /// Delivers its reply in chunks as they arise.
    pub streaming: bool,
    /// The longest prompt it takes, in characters.
    pub context_chars: usize,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            json: true,
            streaming: true,
            context_chars: 32_000,
        }
    }
}

/// Which model answers (S5). It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineIdentity {
    /// Who serves it: `scripted`, `openai-compatible`, ...
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// Its version, where one is known.
    pub version: Option<String>,
    /// What it can do.
    pub capabilities: Capabilities,
}

/// Who speaks in a [`PromptMessage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The rules and the stable part of the prompt.
    System,
    /// The volatile part of the prompt.
    User,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Everything that an engine is told.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineRequest {
    /// The role that the call plays.
    pub stage: Stage,
    /// The character that it is for. A lore extractor has none.
    pub npc: Option<String>,
    /// The current input alone, for engines that match keywords.
    pub input: String,
    /// The prompt.
    pub messages: Vec<PromptMessage>,
    /// The JSON schema that the reply should obey, for engines with [`Capabilities::json`].
    pub schema: Option<serde_json::Value>,
    /// The sampling seed. It differs with each attempt.
    pub seed: u64,
    /// The most tokens to generate.
    pub max_tokens: u32,
    /// Temperature in thousandths.
    pub temperature_milli: u32,
    /// The most bytes that the reply may have; a longer one is [`EngineError::Oversized`].
    pub max_reply_bytes: usize,
    /// How long the caller will wait, at most.
    pub time_left: Duration,
}

/// Why a call failed. No variant ever holds a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The engine itself gave up waiting.
    #[error("the engine timed out: {0}")]
    Timeout(String),
    /// Nobody answers at the address.
    #[error("cannot reach the engine: {0}")]
    Unreachable(String),
    /// The server answered with an error.
    #[error("the server answered {status}: {message}")]
    Status {
        /// The HTTP status; 200 when the error came inside the stream.
        status: u16,
        /// What the server said, cut to 500 characters.
        message: String,
    },
    /// The answer ended before it was whole.
    #[error("the answer was cut off: {0}")]
    Interrupted(String),
    /// The answer is not in the protocol that was agreed on.
    #[error("the server does not speak the protocol: {0}")]
    Protocol(String),
    /// The script has no reply left that fits.
    #[error("the script has no reply left that fits")]
    ScriptExhausted,
    /// The reply is longer than allowed.
    #[error("the reply is longer than {limit} bytes")]
    Oversized {
        /// The most bytes allowed.
        limit: usize,
    },
    /// The reply is not UTF-8.
    #[error("the reply is not UTF-8")]
    NotUtf8,
    /// The caller's own deadline passed. Only a replay says so, in place of a clock.
    #[error("the run's deadline passed")]
    Expired,
    /// What a record says of a call that failed.
    #[error("{message}")]
    Recorded {
        /// Its kind.
        kind: EngineErrorKind,
        /// What was said of it.
        message: String,
    },
}

/// The four kinds of [`EngineError`] that traces and scripts tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EngineErrorKind {
    /// No answer in time.
    Timeout,
    /// Everything on the way: refused, cut, an error status, garbage.
    Transport,
    /// Too long.
    Oversized,
    /// Not UTF-8.
    NotUtf8,
}

impl EngineError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> EngineErrorKind {
        match self {
            Self::Timeout(_) | Self::Expired => EngineErrorKind::Timeout,
            Self::Recorded { kind, .. } => *kind,
            Self::Oversized { .. } => EngineErrorKind::Oversized,
            Self::NotUtf8 => EngineErrorKind::NotUtf8,
            Self::Unreachable(_)
            | Self::Status { .. }
            | Self::Interrupted(_)
            | Self::Protocol(_)
            | Self::ScriptExhausted => EngineErrorKind::Transport,
        }
    }
}

/// What a call tells as it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineEvent {
    /// The next bytes of the reply.
    Chunk(Vec<u8>),
    /// The reply is whole, or was cut at its length limit.
    Finished(Finish),
    /// The call failed; nothing follows.
    Failed(EngineError),
}

/// A source of replies.
pub trait Engine: Send + Sync + 'static {
    /// Which model answers.
    fn identity(&self) -> EngineIdentity;

    /// Starts a call and returns at once. Whatever goes wrong arrives as [`EngineEvent::Failed`].
    fn start(&self, request: EngineRequest) -> EngineCall;
}

/// An engine that many systems share.
pub type SharedEngine = Arc<dyn Engine>;

/// The engine that serves unless a run names another.
#[derive(Resource, Clone)]
pub struct DefaultEngine {
    /// The engine.
    pub engine: SharedEngine,
    /// Which model it is, asked once.
    pub identity: EngineIdentity,
}

impl DefaultEngine {
    /// Asks the engine who it is.
    #[must_use]
    pub fn new(engine: SharedEngine) -> Self {
        let identity = engine.identity();
        Self { engine, identity }
    }
}

/// A call in flight. Dropping it cancels the call.
pub struct EngineCall {
    events: Receiver<EngineEvent>,
    delay: Millis,
    hold: Option<Arc<AtomicBool>>,
    ended: bool,
    _cancel: Box<dyn Any + Send + Sync>,
}

impl EngineCall {
    /// A call that reads from `events` and drops `cancel` when it is dropped itself.
    #[must_use]
    pub fn new(events: Receiver<EngineEvent>, cancel: impl Any + Send + Sync) -> Self {
        Self {
            events,
            delay: Millis(0),
            hold: None,
            ended: false,
            _cancel: Box::new(cancel),
        }
    }

    /// A call whose events are all known already.
    #[must_use]
    pub fn ready(events: impl IntoIterator<Item = EngineEvent>) -> Self {
        let events: Vec<EngineEvent> = events.into_iter().collect();
        let (sender, receiver) = crossbeam_channel::bounded(events.len().max(1));
        for event in events {
            // The channel is as long as the list.
            let _ = sender.try_send(event);
        }
        Self::new(receiver, ())
    }

    /// Holds everything back until `delay` of call time has passed since the start.
    #[must_use]
    pub fn delayed(mut self, delay: Millis) -> Self {
        self.delay = delay;
        self
    }

    /// Holds everything back for as long as `hold` is true.
    #[must_use]
    pub fn held(mut self, hold: Arc<AtomicBool>) -> Self {
        self.hold = Some(hold);
        self
    }

    /// How long after its start the first event can arrive, at the earliest.
    #[must_use]
    pub fn delay(&self) -> Millis {
        self.delay
    }

    /// The next event, if there is one; never waits. `elapsed` is the call time since the start.
    ///
    /// A sender that vanished before it ended the call counts as [`EngineError::Interrupted`].
    pub fn poll(&mut self, elapsed: Millis) -> Option<EngineEvent> {
        let held = self
            .hold
            .as_ref()
            .is_some_and(|hold| hold.load(Ordering::Acquire));
        if self.ended || held || elapsed < self.delay {
            return None;
        }
        let event = match self.events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => EngineEvent::Failed(EngineError::Interrupted(
                "the engine stopped without an answer".to_owned(),
            )),
        };
        self.ended = !matches!(event, EngineEvent::Chunk(_));
        Some(event)
    }
}

impl fmt::Debug for EngineCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineCall")
            .field("delay", &self.delay)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vanished_sender_is_an_interrupted_call_and_is_told_once() {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let mut call = EngineCall::new(receiver, ());
        assert_eq!(call.poll(Millis(0)), None);
        drop(sender);
        assert!(matches!(
            call.poll(Millis(0)),
            Some(EngineEvent::Failed(EngineError::Interrupted(_)))
        ));
        assert_eq!(call.poll(Millis(0)), None);
    }

    #[test]
    fn a_delayed_call_answers_exactly_at_its_time_and_a_held_one_when_released() {
        let hold = Arc::new(AtomicBool::new(true));
        let mut call = EngineCall::ready([EngineEvent::Finished(Finish::Stop)])
            .delayed(Millis(5))
            .held(hold.clone());
        assert_eq!(call.poll(Millis(5)), None);
        hold.store(false, Ordering::Release);
        assert_eq!(call.poll(Millis(4)), None);
        assert!(call.poll(Millis(5)).is_some());
    }

    #[test]
    fn p6_dropping_a_call_cancels_it() {
        let cancelled = Arc::new(AtomicBool::new(false));
        struct Guard(Arc<AtomicBool>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Release);
            }
        }
        let (_sender, receiver) = crossbeam_channel::bounded(1);
        drop(EngineCall::new(receiver, Guard(cancelled.clone())));
        assert!(cancelled.load(Ordering::Acquire));
    }
}
