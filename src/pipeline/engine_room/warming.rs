//! Reads the beginning of a prompt before it is needed: the first answer of a character comes sooner when its server already
//! knows the character.

use crate::base::canonical::{Digest, Hashing};
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::seed::WorldSeed;
use crate::base::time::CallTime;
use crate::engine::{
    EngineCall, EngineEvent, EngineRequest, PromptMessage, Role, RunEngine, Stage,
};
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, PlayerId, ToWarm, limits_of, policy_of};
use crate::pipeline::engine_room::{is_idle, slot_to_warm};
use crate::pipeline::run::ActiveRuns;
use crate::pipeline::steps::expectancy::ConstraintSet;
use crate::pipeline::steps::interaction::{InteractionContext, choose_engine};
use crate::pipeline::steps::prompt::assemble;
use crate::pipeline::steps::retrieval::{PromptSize, retrieve_context};
use crate::pipeline::steps::snapshot::{SnapshotInputs, StateSnapshot};
use crate::proposal::MAX_REPLY_BYTES;
use crate::recorded::InputsAreFed;
use crate::rules::TriggerReason;
use crate::sampling::Sampling;
use crate::story::{ActiveStory, action_rules};
use crate::world::WorldView;
use bevy::prelude::*;
use std::time::Duration;

/// How long a server may take for it, in call time.
const PATIENCE: Millis = Millis(30_000);

/// The character that is being warmed. What it does is not recorded and changes nothing but the time that a first answer takes.
#[derive(Resource, Default)]
pub(crate) struct WarmCall(Option<(EngineCall, CallTime)>);

/// Whether there is anything to do.
pub(crate) fn is_warming(call: Option<Res<WarmCall>>, waiting: Option<Res<ToWarm>>) -> bool {
    call.is_some_and(|call| call.0.is_some()) || waiting.is_some_and(|waiting| !waiting.is_empty())
}

/// The system that reads ahead while an engine has nothing else to do. As soon as a run waits, or is under way, it stops.
pub(crate) fn warm_characters(world: &mut World, runs: &mut ActiveRuns) {
    if world.contains_resource::<InputsAreFed>() {
        // A replay has no server.
        return;
    }
    let now = world.resource::<DramatisClock>().call;
    let is_busy = runs.iter(world).next().is_some();
    let mut warm = world.remove_resource::<WarmCall>().unwrap_or_default().0;
    if is_busy {
        warm = None;
    }
    if let Some((call, began)) = &mut warm
        && has_ended(call, now.since(*began))
    {
        warm = None;
    }
    while !is_busy && warm.is_none() {
        let Some(npc) = world.get_resource_or_init::<ToWarm>().take() else {
            break;
        };
        warm = begin(world, npc).map(|call| (call, now));
    }
    world.insert_resource(WarmCall(warm));
}

fn has_ended(call: &mut EngineCall, elapsed: Millis) -> bool {
    while let Some(event) = call.poll(elapsed) {
        if matches!(event, EngineEvent::Finished(_) | EngineEvent::Failed(_)) {
            return true;
        }
    }
    elapsed > PATIENCE
}

/// Begins to warm a character; `None` where it is gone, or its engine cannot or need not be asked.
fn begin(world: &mut World, npc: Entity) -> Option<EngineCall> {
    let engine = choose_engine(world, npc, Stage::Dialogue).ok()??;
    if !is_idle(world, &engine) {
        return None;
    }
    let mut request = request_of(world, npc, &engine)?;
    let system = request.messages.first().map(|first| &first.content)?;
    request.slot = slot_to_warm(world, &engine, system);
    engine.engine().warm(request)
}

/// The stable part of the prompt that the character would have if the player spoke to it now.
fn request_of(world: &World, npc: Entity, engine: &RunEngine) -> Option<EngineRequest> {
    let character = &world.get::<LoadedCharacter>(npc)?.0;
    let mind = world.get::<Mind>(npc)?;
    let story = &world.resource::<ActiveStory>().0;
    let limits = limits_of(world, npc);
    let view = WorldView::new(world);
    let now = world.resource::<DramatisClock>().game;
    let context = InteractionContext {
        speaker: Some(world.get_resource::<PlayerId>()?.0.clone()),
        ..InteractionContext::bare(&character.id, TriggerReason::PlayerUtterance, now)
    };
    let judge = story.canon_of(character);
    let prompt = PromptSize::of(world, npc, character);
    let budget = prompt.budget;
    let retrieved = retrieve_context(&context, story, mind, &view, &limits, &judge, prompt);
    let inputs = SnapshotInputs {
        stage: Stage::Dialogue,
        character,
        trigger_examples: &[],
        world_seed: world.resource::<WorldSeed>().0,
        budget,
        limits,
        sampling: Sampling::default(),
        engine: engine.identity(),
        world: &view,
        doing: &|_| None,
        actions: action_rules(world),
        // Nothing of the stable part depends on it.
        world_hash: Digest::of_bytes(b""),
        apart: policy_of(world, npc)
            .suited(engine.identity().capabilities.form)
            .is_apart(),
        max_attempts: 1,
        hashing: Hashing::ByParts,
        kept: None,
    };
    let constraints = ConstraintSet::default();
    let snapshot = StateSnapshot::first(&inputs, &context, &constraints, &retrieved).ok()?;
    let prompt = assemble(snapshot.body()).ok()?;
    Some(EngineRequest {
        stage: Stage::Dialogue,
        npc: Some(character.id.to_string()),
        input: String::new(),
        messages: [
            PromptMessage::new(Role::System, prompt.system()),
            PromptMessage::new(Role::User, ""),
        ]
        .into(),
        schema: None,
        seed: 0,
        max_tokens: 1,
        temperature: 0.0,
        top_p: None,
        min_p: None,
        repeat_penalty: None,
        max_reply_bytes: MAX_REPLY_BYTES,
        time_left: Duration::from_millis(PATIENCE.0.unsigned_abs()),
        stop: Vec::new(),
        slot: None,
    })
}
