//! Engines turn prompt bytes into reply bytes, with one interface for all of them.
//!
//! An engine sees text and returns bytes. It has no handle to the world, no memory and no authority; what it returns is
//! untrusted until the gate has judged it. A reply comes in chunks, and an engine never blocks a frame: [`Engine::start`]
//! returns at once with an [`EngineCall`], which the pipeline polls each frame. Dropping the call cancels it.
//!
//! | engine | for |
//! |---|---|
//! | [`ScriptedEngine`] | authored replies from RON: examples, tests, CI, a game with no model |
//! | [`HttpEngine`] | every OpenAI-compatible server (feature `http`) |
//! | [`LlamaServer`] | a llama.cpp server that the game starts and ends (feature `http`) |
//! | that of a [replay](crate::replay::replay) | recorded replies, in the chunks in which they arrived |
//!
//! # Your own engine
//!
//! Implement [`Engine`]. [`Engine::start`] makes a **bounded** channel, starts the work somewhere else (a task, a thread),
//! and returns an [`EngineCall`] that holds the receiving end and whatever cancels the work when it is dropped. The work
//! sends [`EngineEvent::Chunk`]s, and at the end one [`EngineEvent::Finished`] or [`EngineEvent::Failed`]. It must use
//! `try_send`: the work must not wait for a consumer that is gone.
//!
//! ```
//! use bevy_dramatis::base::Millis;
//! use bevy_dramatis::engine::{Capabilities, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest};
//! use bevy_dramatis::proposal::Finish;
//!
//! /// Answers with the input, letter by letter.
//! struct Echo;
//!
//! impl Engine for Echo {
//!     fn identity(&self) -> EngineIdentity {
//!         EngineIdentity {
//!             provider: "echo".to_owned(),
//!             model: "echo".to_owned(),
//!             version: Some("1".to_owned()),
//!             hash: None,
//!             capabilities: Capabilities { json: false, ..Capabilities::default() },
//!         }
//!     }
//!
//!     fn start(&self, request: EngineRequest) -> EngineCall {
//!         let letters = request.input.chars();
//!         let chunks = letters.map(|c| EngineEvent::Chunk(c.to_string().into_bytes()));
//!         // All that it will ever say is known already: no channel is needed.
//!         EngineCall::ready(chunks.chain([EngineEvent::Finished(Finish::Stop)]))
//!     }
//! }
//! ```

pub(crate) mod breaker;
mod call;
pub(crate) mod capacity;
pub(crate) mod engines;
mod event;
#[cfg(feature = "http")]
pub(crate) mod from_env;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "http")]
pub(crate) mod llama_server;
pub(crate) mod replay;
pub(crate) mod reply;
pub(crate) mod script;
pub(crate) mod scripted;
pub(crate) mod sealed;
#[cfg(feature = "http")]
pub(crate) mod setup_error;
#[cfg(feature = "http")]
mod sse;
pub(crate) mod status;

pub(crate) use crate::sampling::Sampling;
pub use breaker::{BreakerSettings, BreakerState};
pub use call::EngineCall;
pub use capacity::{Budget, Capacity};
pub(crate) use engines::EngineChoiceError;
pub use engines::{Engines, NpcEngine, RunEngine};
pub use event::{EngineError, EngineErrorKind, EngineEvent};
#[cfg(feature = "http")]
pub use from_env::FromEnv;
#[cfg(all(feature = "http", fuzzing))]
pub use http::read_stream_for_fuzzing;
#[cfg(feature = "http")]
pub use http::{HttpConfig, HttpEngine, SchemaDialect};
#[cfg(feature = "http")]
pub use llama_server::LlamaServer;
pub(crate) use replay::{ReplayEngine, ReplayedReply};
pub(crate) use reply::MAX_REASONING_BYTES;
pub use reply::{Inference, TokenUsage};
pub(crate) use script::ReplySpec;
pub use script::ScriptSpec;
pub use scripted::ScriptedEngine;
pub use sealed::{ProposalBytes, SealedCall, SealedSeam};
#[cfg(feature = "http")]
pub use setup_error::EngineSetupError;
pub use status::EngineStatus;

use crate::base::shared_text::SharedText;
use crate::policy::Form;
use crate::settings::{ComesBack, Setting};
use bevy::prelude::{Reflect, Resource, World};
use crossbeam_channel::{Receiver, TryRecvError};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// The role that a call plays. The pipeline calls with [`Stage::Dialogue`], or in parts
/// ([`Form::Apart`](crate::policy::Form)) with [`Stage::Decide`], [`Stage::Speak`], [`Stage::Remember`] and [`Stage::Diary`];
/// an engine that reads the words of an actor is called with [`Stage::Parser`]. The others are for adventures and plans.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub enum Stage {
    /// A character answers an interaction.
    #[default]
    Dialogue,
    /// A character chooses what it does.
    Decide,
    /// A character says its line.
    Speak,
    /// A character looks back on what it has talked about, and chooses what it remembers.
    Remember,
    /// A character writes in its diary about a day of the game that is over.
    Diary,
    /// A character that a player plays says what it wants to do.
    PersonaIntent,
    /// A character says what it wants to do.
    NpcIntent,
    /// The narrator tells what happens.
    Narrator,
    /// Reads from a narration how a played character's states change.
    PersonaExtractor,
    /// Reads from a narration how a character's states change.
    CharacterExtractor,
    /// Reads from a narration what it says about the world.
    LoreExtractor,
    /// Sums up the older narrations of an adventure.
    Recap,
    /// A model works out what a wish asks for, so that it can be planned. The reply must be JSON.
    PlanIntent,
    /// A model writes a plan. The reply must be JSON.
    Plan,
    /// A player's prose is turned into actions.
    Parser,
    /// A model writes lines that a player could say to a character.
    PlayerLines,
}

impl Stage {
    /// Whether the engine is asked about a character in the background: no line is spoken, and the game does not wait for it.
    pub(crate) fn is_background(self) -> bool {
        matches!(self, Self::Remember | Self::Diary | Self::PlayerLines)
    }

    /// The name in a trace: `dialogue`, `npc_intent`, ...
    #[must_use]
    pub fn snake_case(self) -> &'static str {
        match self {
            Self::Dialogue => "dialogue",
            Self::Decide => "decide",
            Self::Speak => "speak",
            Self::Remember => "remember",
            Self::Diary => "diary",
            Self::PersonaIntent => "persona_intent",
            Self::NpcIntent => "npc_intent",
            Self::Narrator => "narrator",
            Self::PersonaExtractor => "persona_extractor",
            Self::CharacterExtractor => "character_extractor",
            Self::LoreExtractor => "lore_extractor",
            Self::Recap => "recap",
            Self::PlanIntent => "plan_intent",
            Self::Plan => "plan",
            Self::Parser => "parser",
            Self::PlayerLines => "player_lines",
        }
    }
}

/// What an engine can do. A stage that needs more than its engine has is refused with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Whether its replies obey a JSON schema that the request brings. Default: true.
    pub json: bool,
    /// Whether it delivers its reply in chunks, as they arise. Default: true.
    pub streaming: bool,
    /// The longest prompt that it takes, in characters. Default: 32,000. Prompts are cut to it.
    pub context_chars: usize,
    /// In how many calls a character is best asked for its reply, where neither the game nor a file says so. Default:
    /// [`Form::Together`]; [`HttpEngine`] says [`Form::Apart`]. Left out of records where it is the default.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub form: Form,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            json: true,
            streaming: true,
            context_chars: 32_000,
            form: Form::Together,
        }
    }
}

/// Which model answers. Recorded with every session and run; it holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[serde(deny_unknown_fields)]
pub struct EngineIdentity {
    /// Who serves it: `scripted`, `openai-compatible`, ...
    pub provider: String,
    /// The name of the model, as its provider knows it.
    pub model: String,
    /// Its version; `None` where none is known.
    pub version: Option<String>,
    /// The hash of its weights, where they are a file that can be read; `None` where they are not. Left out of records where
    /// there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// What the engine can do: how long prompts may be, and whether its replies obey a schema.
    pub capabilities: Capabilities,
}

impl EngineIdentity {
    /// The identity of a model of this provider without a version, with the default [`Capabilities`].
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            version: None,
            hash: None,
            capabilities: Capabilities::default(),
        }
    }
}

/// Who speaks in a [`PromptMessage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What stays the same for a character: who it is, canon, the form of the answer, lasting rules.
    System,
    /// What the character heard. The last message of this role holds the current situation and the input.
    User,
    /// What the character said.
    Assistant,
}

/// One message of a prompt: a role and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Whose message it is.
    pub role: Role,
    /// The text of the message.
    pub(crate) content: SharedText,
}

impl PromptMessage {
    /// A message of this role with this text.
    #[must_use]
    pub fn new(role: Role, content: &str) -> Self {
        let content = content.into();
        Self { role, content }
    }

    /// The text of the message.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }
}

/// Everything that an engine is told.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineRequest {
    /// The role that the call plays.
    pub stage: Stage,
    /// The id of the character that it is for; `None` for a call that belongs to none, such as a lore extractor.
    pub npc: Option<String>,
    /// The current input alone (what was said to the character), for engines that match keywords.
    pub input: String,
    /// The prompt as messages, in order: the system message, what was heard and said before, and the current situation with the
    /// input.
    pub messages: Arc<[PromptMessage]>,
    /// The JSON schema that the reply should obey; `None` for an engine without [`Capabilities::json`].
    pub schema: Option<Arc<serde_json::Value>>,
    /// The sampling seed. It is drawn from the world's seed and differs with each attempt.
    pub seed: u64,
    /// The most tokens that the reply may take; see [`Limits::reply_tokens`](crate::limits::Limits::reply_tokens).
    pub max_tokens: u32,
    /// The sampling temperature, 0 to 10: 0 asks for the most likely words.
    pub temperature: f32,
    /// The engine draws only from the most likely words that together have this share of the likelihood, above 0 to 1; `None`: the
    /// engine's own default.
    pub top_p: Option<f32>,
    /// The engine draws only words that are at least this many times as likely as the most likely one, 0 to 1; `None`: the engine's
    /// own default.
    pub min_p: Option<f32>,
    /// How much less likely a word is that was said lately, above 0 to 10: 1 changes nothing; `None`: the engine's own default.
    pub repeat_penalty: Option<f32>,
    /// The most bytes that the reply may have; a longer one is [`EngineError::Oversized`].
    pub max_reply_bytes: usize,
    /// The longest time that the caller waits, in real time. After it the call is dropped.
    pub time_left: Duration,
    /// Texts at which the engine may end the reply, because another speaker begins there: `"\nAnn:"`. Best first, and never
    /// needed: the parser ends the reply there, too. An engine that has no such option ignores them.
    pub stop: Vec<String>,
    /// The server slot whose cache holds the longest part of this prompt. `None` if the engine has no slots
    /// ([`Capacity::slots`]) or does not limit its calls.
    pub slot: Option<u32>,
}

/// A source of replies. The module's documentation shows how to write one.
pub trait Engine: Send + Sync + 'static {
    /// Which model answers, as far as the engine knows now. The plugin calls this method when the engine becomes the default one
    /// or is added under a name, after each of the engine's calls, and before each step of a plan, so it must be quick. A change
    /// is reported as [`ModelChanged`](crate::events::ModelChanged).
    fn identity(&self) -> EngineIdentity;

    /// Begins to find out again which model answers, for example by asking the server; [`Engine::identity`] then gives the result.
    /// `None`, the default: there is nothing to find out.
    fn probe(&self) -> Option<IdentityProbe> {
        None
    }

    /// How many calls it serves at once, and when it gets no calls because it fails. Default: no limit, and it always gets calls.
    /// The plugin calls this method before each call of the engine, so it must be quick.
    fn capacity(&self) -> Capacity {
        Capacity::default()
    }

    /// Whether it can be asked now. While it cannot, no call is made, and authored lines come at once; a change is reported as
    /// [`EngineStatusChanged`](crate::events::EngineStatusChanged). Default: always ready. The plugin calls this method in each
    /// frame, so it must be quick.
    fn status(&self) -> EngineStatus {
        EngineStatus::Ready
    }

    /// How many tokens the calls of the engine and its clones have taken so far, as the server reports them. Default: none. A call
    /// that was cancelled adds nothing.
    fn usage(&self) -> TokenUsage {
        TokenUsage::default()
    }

    /// Lets the model read the beginning of a prompt before it is needed, so that the first call with the same beginning gets its
    /// answer sooner; its reply is thrown away. `None`, the default: the engine has no use for it. The plugin never calls this method
    /// while a run is under way, and dropping the call stops it.
    fn warm(&self, request: EngineRequest) -> Option<EngineCall> {
        drop(request);
        None
    }

    /// Starts a call and returns at once, without waiting for anything: the frame goes on. Every fault arrives as
    /// [`EngineEvent::Failed`].
    fn start(&self, request: EngineRequest) -> EngineCall;

    /// Starts a call once more, because the first one has brought nothing for a third of the run's deadline and may never end. Both
    /// stay under way, and the one that brings something first is used. Default: the same as [`Engine::start`].
    fn start_again(&self, request: EngineRequest) -> EngineCall {
        self.start(request)
    }
}

/// A pending question to the engine: which model answers. Dropping it cancels the question.
pub struct IdentityProbe {
    done: Receiver<()>,
    _cancel: Box<dyn Any + Send + Sync>,
}

impl IdentityProbe {
    /// A question that is over when its sender has sent or is gone. `cancel` is dropped with it.
    #[must_use]
    pub fn new(done: Receiver<()>, cancel: impl Any + Send + Sync) -> Self {
        Self {
            done,
            _cancel: Box::new(cancel),
        }
    }

    /// Whether it is over; never waits.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self.done.try_recv(), Err(TryRecvError::Empty))
    }
}

/// An engine that many systems share.
pub type SharedEngine = Arc<dyn Engine>;

/// The engine that serves every run for which no other one is named (see [`Engines`]). The plugin inserts it;
/// [`set_default_engine`](crate::pipeline::EngineCommandsExt::set_default_engine) puts another one in its place while the game runs.
#[derive(Resource, Clone)]
pub struct DefaultEngine {
    /// The engine itself, which calls start on.
    pub engine: SharedEngine,
    /// Which model it is, as the engine said when this value was made.
    pub identity: EngineIdentity,
}

/// Which model answers by default, as a setting that saves keep.
pub(crate) const IDENTITY_SETTING: Setting = Setting {
    name: "identity",
    comes_back: ComesBack::InReplay,
    is_required: true,
    find: World::component_id::<DefaultEngine>,
    write: |world| serde_json::to_value(&world.get_resource::<DefaultEngine>()?.identity).ok(),
    check: |value| EngineIdentity::deserialize(value).map(|_| ()),
    put: |world, value| {
        let identity = value.and_then(|value| EngineIdentity::deserialize(value).ok());
        if let (Some(identity), Some(mut engine)) =
            (identity, world.get_resource_mut::<DefaultEngine>())
        {
            engine.identity = identity;
        }
    },
};

impl DefaultEngine {
    /// This engine, with the identity that it reports now.
    #[must_use]
    pub fn new(engine: SharedEngine) -> Self {
        let identity = engine.identity();
        Self { engine, identity }
    }
}
