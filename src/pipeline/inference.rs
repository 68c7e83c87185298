//! Component 6, inference: bytes from an engine, through the seam alone (contract row P6).
//!
//! It starts calls and polls them, and never waits. Each fault is typed and counts as a failed attempt.

use super::fallback::draw_line;
use super::prompt::AssembledPrompt;
use super::run::{ActiveRun, AttemptError, AttemptLog, Run, RunPhase};
use super::snapshot::{SnapshotBody, StateSnapshot};
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millis;
use crate::base::seed::WorldSeed;
use crate::engine::{
    DefaultEngine, EngineCall, EngineError, EngineEvent, EngineRequest, SharedEngine,
};
use crate::events::{Outbox, Outgoing, ThinkingLine};
use crate::npc::LoadedCharacter;
use crate::proposal::{Finish, MAX_REPLY_BYTES, MutationKind};
use crate::world::ActionRegistry;
use bevy::prelude::*;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The most tokens that a reply may take.
pub const MAX_TOKENS: u32 = 512;
/// Sampling temperature, in thousandths.
pub const TEMPERATURE_MILLI: u32 = 700;
/// A character that has no answer after this time makes its thinking sound.
pub const THINKING_AFTER: Millis = Millis(2_000);

/// A flood of chunks must not hold a frame: the rest comes in the next one.
const MAX_EVENTS_A_FRAME: usize = 4_096;

/// What an engine answered: the bytes and the borders at which they arrived.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
pub struct Inference {
    /// The reply.
    pub bytes: Vec<u8>,
    /// Where each chunk ended.
    pub chunk_ends: Vec<usize>,
    /// Whether the engine cut it.
    pub finish: Finish,
    /// Call time from the start of the call to its end.
    pub latency: Millis,
}

/// A call in flight, with what has arrived.
#[derive(Component, Debug)]
pub struct CallInFlight {
    call: EngineCall,
    started: Millis,
    arrived: Inference,
}

impl CallInFlight {
    /// When the reply can be there at the earliest, in call time.
    #[must_use]
    pub fn ready_at(&self) -> Millis {
        self.started.after(self.call.delay())
    }

    /// What has arrived so far. Nobody has judged it: show it to developers only.
    #[must_use]
    pub fn arrived(&self) -> &[u8] {
        &self.arrived.bytes
    }
}

/// The JSON schema of a reply to this snapshot: bounded, integers where numbers are not needed, words first. It offers
/// the actions that the character can do, with targets that it can reach, and always to do nothing.
#[must_use]
pub fn reply_schema(body: &SnapshotBody, registry: &ActionRegistry) -> Value {
    let object = |kind: &str, properties: Value, required: &[&str]| {
        let mut all = serde_json::Map::from_iter([("type".to_owned(), json!({"const": kind}))]);
        all.extend(properties.as_object().cloned().unwrap_or_default());
        let required: Vec<&str> = ["type"].iter().chain(required).copied().collect();
        json!({"type": "object", "properties": all, "required": required, "additionalProperties": false})
    };
    let text = json!({"type": "string", "maxLength": 300});
    let id = json!({"type": "string", "maxLength": 64});
    let mutations = [
        object(
            MutationKind::AppendEpisodic.name(),
            json!({"content": text}),
            &["content"],
        ),
        object(
            MutationKind::TransformBelief.name(),
            json!({"target": id, "content": text}),
            &["target", "content"],
        ),
    ];
    let intents: Vec<Value> = body
        .affordances
        .iter()
        .flat_map(|affordance| affordance.schemas(registry))
        .collect();
    let list = |any_of: &[Value], most: usize| {
        if any_of.is_empty() {
            json!({"type": "array", "maxItems": 0, "items": {"type": "string", "maxLength": 1}})
        } else {
            json!({"type": "array", "maxItems": most, "items": {"anyOf": any_of}})
        }
    };
    json!({
        "type": "object",
        "properties": {
            "dialogue": {"type": "string", "maxLength": 600},
            "mutations": list(&mutations, 4),
            "intents": list(&intents, 2),
        },
        "required": ["dialogue", "mutations", "intents"],
        "additionalProperties": false
    })
}

/// On a sealed run: its right to one call, until it is spent (S2).
#[derive(Component, Debug)]
pub(crate) struct SealedRight(Option<OneCall>);

/// A right to one call. It is spent by using it; it cannot be copied, and each run is given one.
#[derive(Debug)]
struct OneCall(());

impl SealedRight {
    /// What a run that begins is given.
    pub(crate) fn new() -> Self {
        Self(Some(OneCall(())))
    }
}

/// The engine that sealed runs ask: that which the app was built with. It lives in the system that starts calls, where
/// nobody can put another in its place (S3).
#[derive(Clone)]
struct BoundEngine(SharedEngine);

impl BoundEngine {
    /// The one call of a sealed run. An engine that panics has said nothing (S1).
    fn ask(&self, _spent: OneCall, request: EngineRequest) -> EngineCall {
        let started = catch_unwind(AssertUnwindSafe(|| self.0.start(request)));
        let nothing = || {
            let why = "the engine panicked".to_owned();
            EngineCall::ready([EngineEvent::Failed(EngineError::Interrupted(why))])
        };
        started.unwrap_or_else(|_| nothing())
    }
}

/// A run that is ready for its call.
type Ready = (
    Entity,
    &'static mut Run,
    &'static AssembledPrompt,
    &'static StateSnapshot,
    Option<&'static mut SealedRight>,
);

/// The system that starts the call of each run that is ready for it. `bound` serves sealed runs, whatever becomes of the
/// default engine.
pub(crate) fn start_calls(
    bound: SharedEngine,
) -> impl FnMut(
    Commands,
    Query<Ready, With<ActiveRun>>,
    Res<DefaultEngine>,
    Res<ActionRegistry>,
    Res<DramatisClock>,
    ResMut<DramatisCounters>,
) {
    let bound = BoundEngine(bound);
    move |mut commands, mut runs, engine, registry, clock, mut counters| {
        let mut ready: Vec<_> = runs
            .iter_mut()
            .filter(|(_, run, ..)| run.phase == RunPhase::Call)
            .collect();
        // A scripted engine hands out its replies in the order of asking.
        ready.sort_by_key(|(_, run, ..)| run.number);
        for (entity, mut run, prompt, snapshot, right) in ready {
            let body = snapshot.body();
            let time_left = run.deadline().since(clock.call).0.max(0).unsigned_abs();
            let request = EngineRequest {
                stage: run.stage,
                npc: Some(run.npc.clone()),
                input: body.context.words().to_owned(),
                messages: prompt.messages(),
                schema: body.json.then(|| reply_schema(body, &registry)),
                seed: body.seed,
                max_tokens: MAX_TOKENS,
                temperature_milli: TEMPERATURE_MILLI,
                max_reply_bytes: MAX_REPLY_BYTES,
                time_left: Duration::from_millis(time_left),
            };
            let call = if run.policy.sealed {
                let Some(spent) = right.and_then(|mut right| right.0.take()) else {
                    log::error!("{}: a sealed run has no call left", run.npc);
                    run.no_retry = true;
                    run.phase = RunPhase::Failed;
                    continue;
                };
                bound.ask(spent, request)
            } else {
                engine.engine.start(request)
            };
            counters.engine_calls += 1;
            run.phase = RunPhase::Calling;
            commands.entity(entity).insert(CallInFlight {
                call,
                started: clock.call,
                arrived: Inference::default(),
            });
        }
    }
}

/// How a call stands after a poll.
enum Polled {
    Waiting,
    Whole,
    Failed(AttemptError, String),
}

fn poll(flight: &mut CallInFlight, now: Millis, deadline: Millis) -> Polled {
    let too_late = || {
        Polled::Failed(
            AttemptError::Deadline,
            "the run's deadline passed".to_owned(),
        )
    };
    if now > deadline {
        return too_late();
    }
    let elapsed = now.since(flight.started);
    for _ in 0..MAX_EVENTS_A_FRAME {
        let Some(event) = flight.call.poll(elapsed) else {
            break;
        };
        match event {
            EngineEvent::Chunk(chunk) if chunk.is_empty() => {}
            EngineEvent::Chunk(chunk) => {
                if flight.arrived.bytes.len() + chunk.len() > MAX_REPLY_BYTES {
                    let error = EngineError::Oversized {
                        limit: MAX_REPLY_BYTES,
                    };
                    return Polled::Failed(error.kind().into(), error.to_string());
                }
                flight.arrived.bytes.extend_from_slice(&chunk);
                flight.arrived.chunk_ends.push(flight.arrived.bytes.len());
            }
            EngineEvent::Finished(finish) => {
                flight.arrived.finish = finish;
                flight.arrived.latency = elapsed;
                if std::str::from_utf8(&flight.arrived.bytes).is_err() {
                    return Polled::Failed(AttemptError::NotUtf8, EngineError::NotUtf8.to_string());
                }
                return Polled::Whole;
            }
            EngineEvent::Failed(EngineError::Expired) => return too_late(),
            EngineEvent::Failed(error) => {
                return Polled::Failed(error.kind().into(), error.to_string());
            }
        }
    }
    // A held call is released by whoever holds it: exactly at the deadline it is still in time.
    if now == deadline && flight.ready_at() > now {
        too_late()
    } else {
        Polled::Waiting
    }
}

/// Polls the calls in flight.
pub(crate) fn poll_calls(
    mut commands: Commands,
    mut runs: Query<(Entity, &mut Run, &mut CallInFlight, &mut AttemptLog), With<ActiveRun>>,
    clock: Res<DramatisClock>,
) {
    for (entity, mut run, mut flight, mut log) in &mut runs {
        let deadline = run.deadline();
        match poll(&mut flight, clock.call, deadline) {
            Polled::Waiting => continue,
            Polled::Whole => {
                let inference = std::mem::take(&mut flight.arrived);
                if let Some(record) = log.0.last_mut() {
                    record.reply = Some(String::from_utf8_lossy(&inference.bytes).into_owned());
                    record.finish = inference.finish;
                    record.arrived = inference.clone();
                }
                run.phase = RunPhase::Validation;
                commands.entity(entity).insert(inference);
            }
            Polled::Failed(error, message) if run.policy.sealed => {
                // Every fault is an empty answer, and nobody downstream can tell it from one (S1).
                log::debug!("{}: the sealed call failed: {error:?}: {message}", run.npc);
                if let Some(record) = log.0.last_mut() {
                    record.reply = Some(String::new());
                }
                run.phase = RunPhase::Validation;
                commands.entity(entity).insert(Inference::default());
            }
            Polled::Failed(error, message) => {
                log::debug!("{}: attempt {} failed: {message}", run.npc, run.attempt);
                if let Some(record) = log.0.last_mut() {
                    record.arrived = std::mem::take(&mut flight.arrived);
                    record.error = Some(error);
                    record.error_message = Some(message);
                }
                run.no_retry |= error == AttemptError::Deadline;
                run.phase = RunPhase::Failed;
            }
        }
        commands.entity(entity).remove::<CallInFlight>();
    }
}

/// Lets a character that has waited long make its thinking sound, once a run (P11).
pub(crate) fn speak_thinking_lines(
    mut runs: Query<(Entity, &mut Run), (With<ActiveRun>, With<CallInFlight>)>,
    personas: Query<&LoadedCharacter>,
    clock: Res<DramatisClock>,
    seed: Res<WorldSeed>,
    mut outbox: ResMut<Outbox>,
) {
    for (entity, mut run) in &mut runs {
        if run.thinking_line_spoken || clock.call.since(run.started) < THINKING_AFTER {
            continue;
        }
        run.thinking_line_spoken = true;
        let Ok(persona) = personas.get(run.npc_entity) else {
            continue;
        };
        let lines = &persona.0.fallbacks.thinking;
        let Some(line) = draw_line(
            lines,
            &[],
            seed.0,
            &["thinking", &run.npc, &run.number.to_string()],
        ) else {
            continue;
        };
        outbox.0.push(Outgoing::ThinkingLine(ThinkingLine {
            entity: run.npc_entity,
            npc: run.npc.clone(),
            run: entity,
            line,
        }));
    }
}
