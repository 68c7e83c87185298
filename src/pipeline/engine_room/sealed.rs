//! The one call of a sealed run: by type, bytes in and bytes out, and through what the game's code has bound. Where it has bound
//! nothing, nothing is asked.

use crate::engine::sealed::SealedSeam;
use crate::engine::{
    Capabilities, DefaultEngine, EngineCall, EngineError, EngineEvent, EngineIdentity,
    EngineRequest, PromptMessage, RunEngine, ScriptedEngine, SharedEngine, Stage,
};
use crate::pipeline::driver::step::RunFault;
use crate::pipeline::run::Run;
use crate::proposal::{Finish, MAX_REPLY_BYTES};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};
use std::time::Duration;

/// On a sealed run: its right to one call, until it is spent.
#[derive(Component, Debug)]
pub(crate) struct SealedRight(Option<OneCall>);

/// A right to one call. It is spent by using it; it cannot be copied, and each run is given one.
#[derive(Debug)]
struct OneCall(());

impl SealedRight {
    /// What a run that starts is given.
    pub(crate) fn new() -> Self {
        Self(Some(OneCall(())))
    }
}

/// All that the engine of a sealed run is told. A seam gets it as bytes: JSON with these fields, in this
/// order. The same request gives the same bytes.
///
/// ```
/// use bevy_dramatis::engine::SealedSeam;
/// use bevy_dramatis::pipeline::SealedInput;
///
/// let seam = SealedSeam::bound(|input: &[u8]| match SealedInput::read(input) {
///     Some(input) if input.said.contains("gate") => b"The gate is shut.".to_vec(),
///     _ => Vec::new(),
/// });
/// assert!(seam.call().propose(b"{}").into_bytes().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedInput {
    /// The role that the call plays.
    pub stage: Stage,
    /// The id of the character; `None` for a call that belongs to none.
    pub npc: Option<String>,
    /// The words to the character, or the words of the trigger; empty when there are neither.
    pub said: String,
    /// The prompt.
    pub messages: Vec<PromptMessage>,
    /// The JSON schema that the reply should obey; `None` for an engine without JSON.
    pub schema: Option<Arc<serde_json::Value>>,
    /// The sampling seed.
    pub seed: u64,
    /// The most tokens that the reply may take.
    pub max_tokens: u32,
    /// The sampling temperature, 0 to 10: 0 asks for the most likely words.
    pub temperature: f32,
    /// The share of likelihood that words are drawn from, above 0 to 1; `None`: the engine's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f32>,
    /// The least likelihood of a word relative to the most likely one, 0 to 1; `None`: the engine's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f32>,
    /// How much less likely a word is that was said lately, above 0 to 10: 1 changes nothing; `None`: the engine's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_penalty: Option<f32>,
    /// How long the caller waits. The bytes say it in milliseconds, as `patience_ms`.
    #[serde(rename = "patience_ms", with = "crate::base::fixed::in_millis")]
    pub patience: Duration,
}

impl SealedInput {
    /// Reads what a seam was given. `None` for other bytes.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn bytes(request: EngineRequest) -> Vec<u8> {
        let input = Self {
            stage: request.stage,
            npc: request.npc,
            said: request.input,
            messages: request.messages.to_vec(),
            schema: request.schema,
            seed: request.seed,
            max_tokens: request.max_tokens,
            temperature: request.temperature,
            top_p: request.top_p,
            min_p: request.min_p,
            repeat_penalty: request.repeat_penalty,
            patience: request.time_left,
        };
        // Fields are in order and keys are sorted: the same request gives the same bytes.
        serde_json::to_vec(&input).unwrap_or_default()
    }
}

impl From<SealedInput> for EngineRequest {
    fn from(input: SealedInput) -> Self {
        Self {
            stage: input.stage,
            npc: input.npc,
            input: input.said,
            messages: input.messages.into(),
            schema: input.schema,
            seed: input.seed,
            max_tokens: input.max_tokens,
            temperature: input.temperature,
            top_p: input.top_p,
            min_p: input.min_p,
            repeat_penalty: input.repeat_penalty,
            max_reply_bytes: MAX_REPLY_BYTES,
            time_left: input.patience,
            stop: Vec::new(),
            slot: None,
        }
    }
}

/// The engine that sealed runs ask, bound when the app is built. It lives in the systems that start runs and calls, where no
/// code can replace it.
#[derive(Clone)]
pub(crate) struct SealedBinding {
    bound: Bound,
    run_engine: RunEngine,
}

#[derive(Clone)]
enum Bound {
    /// Nothing: every sealed run is rejected. The log says so once.
    Nothing(Arc<Once>),
    /// An engine, which is given no more than the bytes.
    Engine(SharedEngine),
    /// A seam: bytes in, bytes out.
    Seam(Arc<SealedSeam>),
}

impl SealedBinding {
    pub(crate) fn of_nothing() -> Self {
        let identity = EngineIdentity {
            provider: "none".to_owned(),
            model: "none".to_owned(),
            version: None,
            hash: None,
            capabilities: Capabilities::default(),
        };
        Self {
            bound: Bound::Nothing(Arc::new(Once::new())),
            run_engine: described_as(identity),
        }
    }

    pub(crate) fn of_engine(engine: &DefaultEngine) -> Self {
        Self {
            bound: Bound::Engine(engine.engine.clone()),
            run_engine: engine.into(),
        }
    }

    pub(crate) fn of_seam(seam: &Arc<SealedSeam>, identity: &EngineIdentity) -> Self {
        Self {
            bound: Bound::Seam(seam.clone()),
            run_engine: described_as(identity.clone()),
        }
    }

    /// What a sealed run is described with.
    pub(crate) fn run_engine(&self) -> RunEngine {
        self.run_engine.clone()
    }

    /// Makes the one call of a sealed run. An engine that panics has said nothing.
    ///
    /// # Errors
    /// [`RunFault::NoCallLeft`] when the run has spent its call.
    pub(crate) fn call_once(
        &self,
        world: &mut World,
        run: Entity,
        request: EngineRequest,
    ) -> std::result::Result<EngineCall, RunFault> {
        let right = world.get_mut::<SealedRight>(run);
        let one_call = right.and_then(|mut right| right.0.take());
        if let Bound::Nothing(told) = &self.bound
            && let Some(run) = world.get::<Run>(run)
        {
            told.call_once(|| log::error!("{} is sealed, and {NOTHING_BOUND}", run.npc()));
        }
        Ok(self.spend(one_call.ok_or(RunFault::NoCallLeft)?, request))
    }

    /// The engine or the seam reads nothing except these bytes.
    fn spend(&self, _spent: OneCall, request: EngineRequest) -> EngineCall {
        let input = SealedInput::bytes(request);
        match &self.bound {
            Bound::Nothing(_) => failed(NOTHING_BOUND),
            Bound::Seam(seam) => propose(seam, input),
            Bound::Engine(engine) => {
                let start = || SealedInput::read(&input).map(|input| engine.start(input.into()));
                let started = catch_unwind(AssertUnwindSafe(start)).ok().flatten();
                started.unwrap_or_else(|| failed("the engine panicked"))
            }
        }
    }
}

/// An engine that is never asked: a run is described with it.
fn described_as(identity: EngineIdentity) -> RunEngine {
    let silent = DefaultEngine::new(Arc::new(ScriptedEngine::silent()));
    RunEngine::from(&silent).with_identity(identity)
}

/// The message for a sealed run that has no engine to ask.
pub(crate) const NOTHING_BOUND: &str = "no engine is bound for sealed runs, so that each is rejected: bind one with DramatisPlugins::with_sealed";

fn failed(why: &str) -> EngineCall {
    let error = EngineError::Interrupted(why.to_owned());
    EngineCall::ready([EngineEvent::Failed(error)])
}

/// Asks a seam, whose thread answers: no frame waits.
fn propose(seam: &SealedSeam, input: Vec<u8>) -> EngineCall {
    let (sender, events) = crossbeam_channel::bounded(2);
    let call = seam.call().start(input, move |proposal| {
        let ended = EngineEvent::Finished(Finish::default());
        for event in [EngineEvent::Chunk(proposal.into_bytes()), ended] {
            // The channel has room for all events.
            let _ = sender.try_send(event);
        }
    });
    EngineCall::new(events, call).within(seam.patience().into())
}
