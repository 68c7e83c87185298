//! Component 6, inference: gets bytes from an engine, only through its seam.
//!
//! It starts calls and polls them, and never waits. Each fault is typed and counts as a failed attempt. The reply is on the run
//! as [`Inference`].

pub use crate::engine::Inference;

use super::prompt::AssembledPrompt;
use super::prompt::schema::{choice_schema, memories_schema};
use super::snapshot::{Ask, SnapshotBody, StateSnapshot, sampling_of};
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::engine::{
    EngineCall, EngineError, EngineEvent, EngineRequest, MAX_REASONING_BYTES, RunEngine, Stage,
};
use crate::events::CallRefusal;
use crate::limits::Limits;
use crate::npc::{limits_of, own_names};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{RunFault, Serves, Step, StepResult, run_component};
use crate::pipeline::engine_room::identify::identify_engines;
use crate::pipeline::engine_room::sealed::SealedBinding;
use crate::pipeline::engine_room::{Admission, CallResult, admit, note_call, tell_refusal};
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::listening::{Listened, ReplyInProgress, begin_listening, read_options};
use crate::pipeline::run::attempt::{AttemptError, AttemptFailure};
use crate::pipeline::run::hanging::start_call;
use crate::pipeline::run::too_late::late_message;
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::stage::judged_character;
use crate::pipeline::stage::{StageSnapshot, StageTask};
use crate::pipeline::steps::prompt::kept_schema::KeptSchema;
use crate::proposal::{Finish, MAX_REPLY_BYTES, ReplyReader};
use crate::sampling::Sampling;
use crate::story::Rules;
use bevy::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// A flood of chunks must not hold a frame: the rest comes in the next one.
const MAX_EVENTS_A_FRAME: usize = 4_096;

/// A call in flight, with what has arrived. Dropping it cancels the call.
#[derive(Component, Debug)]
#[component(storage = "SparseSet")]
pub struct CallInFlight {
    call: EngineCall,
    started: CallTime,
    arrived: Inference,
    /// How the call ended, where that has not been dealt with.
    ended: Option<Polled>,
    /// Whether something of what has arrived was not read.
    has_more: bool,
}

impl CallInFlight {
    /// When the next part of the reply can be there at the earliest, in milliseconds of call time.
    #[must_use]
    pub fn ready_at(&self) -> CallTime {
        self.started.after(self.call.delay())
    }

    /// Whether something has arrived that was not read yet, so that the next frame goes on with it.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// What has arrived of a call that is over.
    pub(in crate::pipeline) fn into_arrived(self) -> Inference {
        self.arrived
    }

    /// Cancels the call. What of it was read, up to this byte, or all that has arrived.
    pub(in crate::pipeline) fn abort(self, read: Option<usize>) -> Inference {
        let mut arrived = self.arrived;
        let read = read.unwrap_or(arrived.bytes.len());
        arrived.bytes.truncate(read);
        arrived.chunk_ends.retain(|end| *end < read);
        arrived.chunk_ends.extend((read > 0).then_some(read));
        arrived.finish = Finish::default();
        arrived.aborted = true;
        arrived
    }

    /// The bytes that have arrived so far. No gate has judged them: show them only to developers.
    #[must_use]
    pub fn arrived(&self) -> &[u8] {
        &self.arrived.bytes
    }
}

/// The step: starts the call of a run. Sealed runs ask the engine that the game's code has bound for them, not the default
/// engine.
pub(crate) struct StartCall(pub SealedBinding);

impl Step for StartCall {
    const PHASE: RunPhase = RunPhase::Call;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::All;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let now = world.resource::<DramatisClock>().call;
        let waits_until = world.get::<Run>(entity).and_then(Run::waits_until);
        if waits_until.is_some_and(|until| now < until) {
            return Ok(RunPhase::Call);
        }
        let mut slot = None;
        if !run_component::<Run>(world, entity)?.policy().sealed {
            match admit(world, entity, now) {
                Admission::Now(given) => slot = given,
                Admission::Later => return wait_for_turn(world, entity, now),
                Admission::Refused(reason) => return Ok(refuse(world, entity, reason)),
            }
        }
        if let Some(mut run) = world.get_mut::<Run>(entity) {
            run.begin_call(now);
        }
        let schema = dialogue_schema(world, entity)?;
        let request = EngineRequest {
            slot,
            ..request_of(world, entity, now, schema)?
        };
        let has_schema = request.schema.is_some();
        let call = if run_component::<Run>(world, entity)?.policy().sealed {
            self.0.call_once(world, entity, request)?
        } else {
            start_call(world, entity, request)?
        };
        world.resource_mut::<DramatisCounters>().engine_calls += 1;
        world.entity_mut(entity).insert(CallInFlight {
            call,
            started: now,
            arrived: Inference::default(),
            ended: None,
            has_more: false,
        });
        begin_listening(world, entity, has_schema);
        Ok(RunPhase::Calling)
    }
}

/// The schema of a reply of a dialogue, from an engine that obeys one. The character keeps it for its next run.
fn dialogue_schema(
    world: &mut World,
    entity: Entity,
) -> std::result::Result<Option<Arc<Value>>, RunFault> {
    let Some(snapshot) = world.get::<StateSnapshot>(entity) else {
        return Ok(None);
    };
    let body = snapshot.body();
    match &body.ask {
        Ask::Whole if body.json => {}
        Ask::Choice(options) if body.json => {
            let nothing = body.words.get("nothing");
            return Ok(Some(Arc::new(choice_schema(nothing, options))));
        }
        Ask::Memories if body.json => return Ok(Some(Arc::new(memories_schema(body)))),
        _ => return Ok(None),
    }
    let run = run_component::<Run>(world, entity)?;
    let npc = run.npc_entity();
    let kept = world.get::<KeptSchema>(npc);
    let kept = KeptSchema::of(kept, snapshot.body(), run.policy().delivery);
    let schema = kept.schema();
    if let Ok(mut npc) = world.get_entity_mut(npc) {
        npc.insert(kept);
    }
    Ok(Some(schema))
}

/// A run whose turn has not come waits, as long as its deadline allows.
fn wait_for_turn(world: &mut World, entity: Entity, now: CallTime) -> StepResult {
    if now <= run_component::<Run>(world, entity)?.deadline() {
        return Ok(RunPhase::Call);
    }
    let failure = AttemptFailure {
        error: AttemptError::Deadline,
        message: format!("{} while it waited for its turn", EngineError::EXPIRED),
    };
    Ok(fail_without_call(world, entity, failure))
}

/// The engine is left alone: nothing else is tried, and an authored line comes at once.
fn refuse(world: &mut World, entity: Entity, reason: CallRefusal) -> RunPhase {
    let failure = AttemptFailure {
        error: match reason {
            CallRefusal::TooLate => AttemptError::Timeout,
            CallRefusal::Failing { .. } | CallRefusal::NotReady(_) => AttemptError::Transport,
        },
        message: reason.to_string(),
    };
    tell_refusal(world, entity, reason);
    fail_without_call(world, entity, failure)
}

fn fail_without_call(world: &mut World, entity: Entity, failure: AttemptFailure) -> RunPhase {
    log::debug!("no call was made: {}", failure.message);
    let mut run = world.entity_mut(entity);
    run.insert(failure);
    if let Some(mut run) = run.get_mut::<Run>()
        && run.policy().fault_retries == 0
    {
        run.forbid_retry();
    }
    RunPhase::Failed
}

/// What differs between the calls of a dialogue and of a stage.
struct Asked {
    stage: Stage,
    npc: Option<String>,
    input: String,
    schema: Option<Arc<Value>>,
    seed: u64,
    sampling: Arc<Sampling>,
    /// Texts at which others begin to speak.
    stop: Vec<String>,
}

impl Asked {
    fn of_dialogue(run: &Run, body: &SnapshotBody, schema: Option<Arc<Value>>) -> Self {
        let sampling = match body.ask {
            // Actions and memories need no variety, and do not depend on how the character speaks.
            Ask::Choice(_) | Ask::Memories => Arc::new(Sampling {
                temperature: Some(Millionths::ZERO),
                max_tokens: body.sampling.max_tokens,
                ..Sampling::default()
            }),
            _ => body.sampling.clone(),
        };
        Self {
            stage: body.ask.stage(),
            npc: Some(run.npc().to_string()),
            input: body.context.words().to_owned(),
            schema,
            seed: body.seed,
            sampling,
            stop: body.stops(),
        }
    }

    fn of_stage(
        world: &World,
        entity: Entity,
        task: &StageTask,
    ) -> std::result::Result<Self, RunFault> {
        let json = run_component::<RunEngine>(world, entity)?
            .identity()
            .capabilities
            .json;
        let run = run_component::<Run>(world, entity)?;
        let limits = limits_of(world, run.npc_entity());
        let character = judged_character(&Rules::of_game(world), task);
        let sampling = match run.stage() {
            // The reading of a player's words needs no variety, and does not depend on how characters speak.
            Stage::Parser => Sampling {
                temperature: Some(Millionths::ZERO),
                ..Sampling::default()
            },
            _ => sampling_of(world, character),
        };
        Ok(Self {
            stage: run.stage(),
            npc: task.npc.as_ref().map(Id::to_string),
            input: task.input.clone(),
            schema: task.schema.clone().filter(|_| json),
            seed: run_component::<StageSnapshot>(world, entity)?.seed,
            sampling: Arc::new(sampling.within(&limits)),
            stop: Vec::new(),
        })
    }
}

fn request_of(
    world: &World,
    entity: Entity,
    now: CallTime,
    schema: Option<Arc<Value>>,
) -> std::result::Result<EngineRequest, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    let asked = match world.get::<StageTask>(entity) {
        Some(task) => Asked::of_stage(world, entity, task)?,
        None => {
            let snapshot = run_component::<StateSnapshot>(world, entity)?;
            Asked::of_dialogue(run, snapshot.body(), schema)
        }
    };
    let prompt = run_component::<AssembledPrompt>(world, entity)?;
    let sampling = asked.sampling;
    let stop = match &sampling.stop {
        None => asked.stop,
        Some(own) => own.iter().cloned().chain(asked.stop).collect(),
    };
    Ok(EngineRequest {
        stage: asked.stage,
        npc: asked.npc,
        input: asked.input,
        messages: prompt.messages().clone(),
        schema: asked.schema,
        seed: asked.seed,
        max_tokens: sampling.max_tokens.unwrap_or(Limits::DEFAULT.reply_tokens),
        temperature: sampling.temperature.unwrap_or_default().to_f32(),
        top_p: sampling.top_p.map(Millionths::to_f32),
        min_p: sampling.min_p.map(Millionths::to_f32),
        repeat_penalty: sampling.repeat_penalty.map(Millionths::to_f32),
        max_reply_bytes: MAX_REPLY_BYTES,
        time_left: run.deadline().since(now).into(),
        stop,
        slot: None,
    })
}

/// The state of a call after a poll.
#[derive(Debug)]
enum Polled {
    Waiting,
    Whole,
    Failed(AttemptError, String),
}

fn too_late() -> Polled {
    Polled::Failed(AttemptError::Deadline, EngineError::EXPIRED.to_string())
}

fn poll(flight: &mut CallInFlight, now: CallTime, deadline: CallTime) -> Polled {
    if let Some(ended) = flight.ended.take() {
        return ended;
    }
    // What came in time counts, also when a long frame has passed the deadline since.
    let elapsed = now.min(deadline).since(flight.started);
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
            EngineEvent::Reasoning(thought) => {
                let kept = &mut flight.arrived.reasoning;
                kept.push_str(&thought);
                let end = (0..=MAX_REASONING_BYTES)
                    .rev()
                    .find(|end| kept.is_char_boundary(*end));
                kept.truncate(end.unwrap_or_default());
            }
            EngineEvent::Usage(usage) => flight.arrived.usage = Some(usage),
            EngineEvent::Finished(finish) => {
                flight.arrived.finish = finish;
                flight.arrived.latency = elapsed;
                if std::str::from_utf8(&flight.arrived.bytes).is_err() {
                    return Polled::Failed(AttemptError::NotUtf8, EngineError::NotUtf8.to_string());
                }
                return Polled::Whole;
            }
            EngineEvent::Failed(error @ EngineError::Expired { .. }) => {
                return Polled::Failed(AttemptError::Deadline, error.to_string());
            }
            EngineEvent::Failed(error) => {
                return Polled::Failed(error.kind().into(), error.to_string());
            }
        }
    }
    // The code that holds a call releases it: exactly at the deadline the call is still in time.
    if now > deadline || (now == deadline && flight.ready_at() > now) {
        too_late()
    } else {
        Polled::Waiting
    }
}

/// Reads on in what has arrived, up to the next part that has to be judged. `finish`: why the engine stopped, if it has.
fn listen(
    world: &mut World,
    entity: Entity,
    finish: Option<Finish>,
) -> std::result::Result<Listened, RunFault> {
    // Leaving an empty reply in its place costs less than taking the component off the run and putting it back.
    let Some(mut place) = world.get_mut::<ReplyInProgress>(entity) else {
        return Err(RunFault::RunComponent("ReplyInProgress"));
    };
    let mut reply = std::mem::take(&mut *place);
    let flight = run_component::<CallInFlight>(world, entity)?;
    reply.take(flight.arrived(), finish);
    let names = own_names(world, run_component::<Run>(world, entity)?.npc_entity());
    let options = read_options(world, entity, finish.unwrap_or_default(), &names)?;
    let listened = reply.next(&options);
    if let Some(mut place) = world.get_mut::<ReplyInProgress>(entity) {
        *place = reply;
    }
    Ok(listened)
}

/// What a call says of its engine. A deadline that passes while the reply is coming is no fault.
fn call_result(polled: &Polled, arrived: &Inference) -> CallResult {
    match polled {
        Polled::Failed(AttemptError::Timeout | AttemptError::Transport, _) => CallResult::Failed,
        Polled::Failed(AttemptError::Deadline, _) if arrived.bytes.is_empty() => CallResult::Failed,
        Polled::Failed(..) | Polled::Whole | Polled::Waiting => CallResult::Answered,
    }
}

/// Cancels the call of a run. The part of the reply that was read stays on the run, and nothing after it. A reply that is over
/// is read to its end.
pub(in crate::pipeline) fn abort(world: &mut World, entity: Entity) {
    let mut run = world.entity_mut(entity);
    let reader = run.get::<ReplyInProgress>().map(ReplyInProgress::reader);
    let is_over = reader.is_some_and(ReplyReader::has_ended);
    let read = reader.map(ReplyReader::read_bytes);
    if let Some(flight) = run.take::<CallInFlight>() {
        run.insert(match is_over {
            true => flight.into_arrived(),
            false => flight.abort(read),
        });
    }
    if !is_over {
        world.resource_mut::<DramatisCounters>().calls_aborted += 1;
    }
    let arrived = world.get::<Inference>(entity).cloned();
    note_call(
        world,
        entity,
        CallResult::Answered,
        &arrived.unwrap_or_default(),
    );
}

/// Ends a line that is long enough, or repeats itself: the rest of the reply is not awaited.
fn end_line(world: &mut World, entity: Entity) -> RunPhase {
    abort(world, entity);
    let mut run = world.entity_mut(entity);
    if let Some(mut arrived) = run.take::<Inference>() {
        let reply = run.get::<ReplyInProgress>();
        arrived.counted = reply.map(|reply| reply.counted_bytes(&arrived.bytes));
        run.insert(arrived);
    }
    identify_engines(world);
    RunPhase::Validation
}

/// The step: collects what has arrived of a run's call.
pub(crate) struct PollCall;

impl Step for PollCall {
    const PHASE: RunPhase = RunPhase::Calling;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::All;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let now = world.resource::<DramatisClock>().call;
        let run = run_component::<Run>(world, entity)?;
        let (policy, deadline) = (run.policy(), run.deadline());
        let heard = world.get::<HeardSentences>(entity);
        let has_spoken = heard.is_some_and(|heard| heard.iter().len() > 0);
        // A character that has begun to speak stops at the deadline, even where more of the reply was there in time.
        let is_over = has_spoken && now > deadline;
        let mut run = world.entity_mut(entity);
        let Some(mut flight) = run.get_mut::<CallInFlight>() else {
            return Err(RunFault::RunComponent("CallInFlight"));
        };
        let polled = match poll(&mut flight, now, deadline) {
            _ if is_over => too_late(),
            polled => polled,
        };
        let finish = flight.arrived.finish;
        let is_read = run.contains::<ReplyInProgress>() && !is_over;
        if is_read {
            let finish = matches!(polled, Polled::Whole).then_some(finish);
            let listened = listen(world, entity, finish)?;
            if listened == Listened::LineOver {
                return Ok(end_line(world, entity));
            }
            if listened == Listened::Part {
                if let Some(mut flight) = world.get_mut::<CallInFlight>(entity) {
                    flight.has_more = true;
                    flight.ended = (!matches!(polled, Polled::Waiting)).then_some(polled);
                }
                return Ok(RunPhase::Listening);
            }
            if let Some(mut flight) = world.get_mut::<CallInFlight>(entity) {
                flight.has_more = false;
            }
            run = world.entity_mut(entity);
        }
        if matches!(polled, Polled::Waiting) {
            return Ok(RunPhase::Calling);
        }
        let reader = run.get::<ReplyInProgress>().map(ReplyInProgress::reader);
        let read = reader.map(ReplyReader::read_bytes);
        let arrived = run.take::<CallInFlight>().map(|flight| match is_over {
            // The part that was not read was not said.
            true => flight.abort(read),
            false => flight.arrived,
        });
        let mut arrived = arrived.unwrap_or_default();
        if let Polled::Failed(AttemptError::Deadline, _) = &polled {
            arrived.aborted = true;
        }
        if policy.sealed {
            // Bytes are all that comes back.
            arrived.finish = Finish::default();
            arrived.reasoning.clear();
            arrived.usage = None;
        }
        if !policy.sealed {
            note_call(world, entity, call_result(&polled, &arrived), &arrived);
        }
        let late_message = match &polled {
            // A record keeps the message that it had then.
            Polled::Failed(AttemptError::Deadline, said)
                if *said == EngineError::EXPIRED.to_string() =>
            {
                Some(late_message(world, entity, &arrived)?)
            }
            _ => None,
        };
        let ask = world
            .get::<StateSnapshot>(entity)
            .map(|frozen| &frozen.body().ask);
        let is_choice = matches!(ask, Some(Ask::Choice(_)));
        let mut run = world.entity_mut(entity);
        match polled {
            Polled::Failed(error, message) if policy.sealed => {
                // Every fault is an empty reply, and no later step can tell the two apart.
                log::debug!("the sealed call failed: {error:?}: {message}");
                run.insert(Inference::default());
                Ok(RunPhase::Validation)
            }
            Polled::Failed(error, message) if is_choice && error != AttemptError::Deadline => {
                log::debug!("what to do was not answered: {message}");
                run.insert((arrived, AttemptFailure { error, message }));
                Ok(RunPhase::Choosing)
            }
            Polled::Failed(error, message) => {
                let message = late_message.unwrap_or(message);
                log::debug!("an attempt failed: {message}");
                run.insert((arrived, AttemptFailure { error, message }));
                if error == AttemptError::Deadline
                    && policy.fault_retries == 0
                    && let Some(mut run) = run.get_mut::<Run>()
                {
                    run.forbid_retry();
                }
                Ok(RunPhase::Failed)
            }
            Polled::Waiting | Polled::Whole => {
                run.insert(arrived);
                identify_engines(world);
                Ok(match is_choice {
                    true => RunPhase::Choosing,
                    false => RunPhase::Validation,
                })
            }
        }
    }
}
