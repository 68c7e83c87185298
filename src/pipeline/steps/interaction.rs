//! Component 1, interaction: why a character should respond now.

use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{DefaultEngine, EngineChoiceError, Engines, NpcEngine, RunEngine, Stage};
use crate::events::RunStarted;
use crate::memory::Exchange;
use crate::memory::Mind;
use crate::npc::{
    CheckedRequest, LoadedCharacter, ReadyNpcs, RequestError, RequestQueue, Thinking, limits_of,
    policy_of, refuse,
};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::{RunStep, call_hook};
use crate::pipeline::engine_room::sealed::{SealedBinding, SealedRight};
use crate::pipeline::run::attempt::AttemptLog;
use crate::pipeline::run::{ActiveRun, Run, RunOf};
use crate::rules::{Interaction, TriggerReason};
use bevy::prelude::*;
use serde::Serialize;

/// Why a character should respond now, and to what. It is built when the run starts and never changes.
#[derive(Component, Debug, Clone, PartialEq, Eq, Serialize)]
#[component(immutable)]
pub struct InteractionContext {
    /// The reason of the request.
    pub reason: TriggerReason,
    /// The id of the character.
    pub npc: Id,
    /// The id of the speaker; `None` when there is no speaker.
    pub speaker: Option<Id>,
    /// The spoken words, without control characters; `None` when there are none.
    pub input: Option<String>,
    /// Game time when the run started.
    pub game_time: GameTime,
    /// The name of the scene, for rules that ask for it; `None` when the request names none.
    pub scene: Option<String>,
    /// Tags, for rules that ask for them. If the speaker is not the player, its id is a tag.
    pub tags: Vec<String>,
    /// The id of the trigger whose rules and fallback lines apply; `None` when there is none.
    pub trigger_id: Option<Id>,
    /// What the trigger asks of the character, for the prompt; `None` when it asks nothing.
    pub prompt: Option<String>,
    /// How many Accepted and Fallback runs the NPC has ended before.
    pub interaction_count: u64,
    /// Whether it is whispered, so that no other character overhears it. Left out of hashes where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whisper: bool,
}

impl InteractionContext {
    /// The context of a run that has a reason and nothing else.
    pub(crate) fn bare(npc: &Id, reason: TriggerReason, now: GameTime) -> Self {
        Self {
            reason,
            npc: npc.clone(),
            speaker: None,
            input: None,
            game_time: now,
            scene: None,
            tags: Vec::new(),
            trigger_id: None,
            prompt: None,
            interaction_count: 0,
            whisper: false,
        }
    }

    /// What conditions may ask of it.
    #[must_use]
    pub fn conditions(&self) -> Interaction<'_> {
        Interaction {
            reason: self.reason,
            npc: &self.npc,
            trigger_id: self.trigger_id.as_deref(),
            scene: self.scene.as_deref(),
            tags: &self.tags,
            interaction_count: self.interaction_count,
        }
    }

    /// The words to the character, or the event, and its answer.
    pub(crate) fn exchange(&self, answered: String) -> Exchange {
        Exchange {
            number: 0,
            speaker: self.speaker.as_ref().map(Id::to_string).unwrap_or_default(),
            heard: self.words().to_owned(),
            answered,
        }
    }

    /// The words with which memories are searched: the spoken words, or else the words of the trigger.
    #[must_use]
    pub fn words(&self) -> &str {
        self.input
            .as_deref()
            .or(self.prompt.as_deref())
            .unwrap_or_default()
    }

    fn new(request: CheckedRequest, npc: &Id, now: GameTime, mind: &Mind) -> Self {
        Self {
            reason: request.reason,
            npc: npc.clone(),
            speaker: request.speaker,
            input: request.input,
            game_time: now,
            scene: request.scene,
            tags: request.tags,
            trigger_id: request.trigger_id,
            prompt: request.prompt,
            interaction_count: mind.interactions,
            whisper: request.whisper,
        }
    }
}

/// How many runs have started: the number of the next one.
#[derive(Resource, Debug, Default)]
pub(crate) struct RunNumbers(pub u64);

impl RunNumbers {
    /// The number of a run that starts.
    pub(crate) fn next(world: &mut World) -> u64 {
        let mut numbers = world.get_resource_or_init::<Self>();
        numbers.0 += 1;
        numbers.0 - 1
    }
}

/// The system that starts a run for each character that has a request and no run in flight, in the order of the requests.
/// Sealed runs get the engine that is `bound` for them.
pub(crate) fn start_runs(bound: SealedBinding) -> impl FnMut(&mut World) {
    move |world| start_ready_runs(world, &bound)
}

fn start_ready_runs(world: &mut World, bound: &SealedBinding) {
    let Some(mut ready) = world.get_resource_mut::<ReadyNpcs>() else {
        return;
    };
    let ready = std::mem::take(&mut ready.0);
    let mut waiting: Vec<(u64, Entity)> = ready
        .into_iter()
        .filter_map(|npc| {
            let number = world.get::<RequestQueue>(npc)?.first_number()?;
            let free =
                world.get::<LoadedCharacter>(npc).is_some() && world.get::<Thinking>(npc).is_none();
            free.then_some((number, npc))
        })
        .collect();
    waiting.sort_unstable();
    for (_, npc) in waiting {
        start_run(world, npc, bound);
    }
}

fn start_run(world: &mut World, npc: Entity, bound: &SealedBinding) {
    let Some(character) = world.get::<LoadedCharacter>(npc) else {
        return;
    };
    let id = character.0.id.clone();
    let Some((_, request)) = world
        .get_mut::<RequestQueue>(npc)
        .and_then(|mut queue| queue.waiting.pop_front())
    else {
        return;
    };
    if world.get::<Mind>(npc).is_none() {
        // A character without a memory still answers.
        log::warn!("{id} has no mind: it gets a new one, and answers without memories");
        world.entity_mut(npc).insert(Mind::empty());
    }
    let clock = *world.get_resource_or_init::<DramatisClock>();
    let policy = policy_of(world, npc);
    let stage = Stage::Dialogue;
    let engine = match policy.sealed {
        true => Ok(Some(bound.run_engine())),
        false => choose_engine(world, npc, stage),
    };
    let (mind, engine) = match (world.get::<Mind>(npc), engine) {
        (Some(mind), Ok(engine)) => (mind, engine),
        // Nothing that it was asked is lost in silence.
        (None, _) => return refuse_start(world, npc, &id, RequestError::NoMind),
        (_, Err(error)) => return refuse_start(world, npc, &id, error.into()),
    };
    let context = InteractionContext::new(request, &id, clock.game, mind);
    let number = RunNumbers::next(world);
    let run = Run::new(number, (npc, &id), stage, policy, clock.call)
        .thinking_after(limits_of(world, npc).thinking_after);
    let run = spawn_run(world, run, engine, context);
    // In a replay the run has taken the identity of the engine that was recorded.
    let form = world.get::<RunEngine>(run);
    let form = form.map(|engine| engine.identity().capabilities.form);
    if let Some(mut run) = world.get_mut::<Run>(run) {
        run.suit(form.unwrap_or_default());
    }
    if policy.sealed {
        world.entity_mut(run).insert(SealedRight::new());
    }
    world.entity_mut(npc).insert(Thinking {
        run,
        since: clock.call,
        attempt: 0,
    });
    call_hook(world, |hook, world| {
        hook.before_step(world, run, RunStep::Start);
    });
    world
        .get_resource_or_init::<Outbox>()
        .tell_about(RunStarted {
            entity: Some(npc),
            npc: id,
            run,
        });
}

/// Spawns a run, with its engine and with what it is about.
pub(crate) fn spawn_run(
    world: &mut World,
    run: Run,
    engine: Option<RunEngine>,
    about: impl Bundle,
) -> Entity {
    let of = RunOf(run.npc_entity());
    let parts = (run, of, ActiveRun, AttemptLog::default(), about);
    match engine {
        Some(engine) => world.spawn((parts, engine)).id(),
        None => world.spawn(parts).id(),
    }
}

/// The engine of a run that starts; `None` when the game has removed the default one, which ends the run with a fault.
pub(crate) fn choose_engine(
    world: &World,
    npc: Entity,
    stage: Stage,
) -> std::result::Result<Option<RunEngine>, EngineChoiceError> {
    let Some(default) = world.get_resource::<DefaultEngine>() else {
        return Ok(None);
    };
    let chosen = match world.get_resource::<Engines>() {
        Some(engines) => engines.choose(world.get::<NpcEngine>(npc), stage, default),
        None => Engines::default().choose(None, stage, default),
    };
    chosen.map(Some)
}

/// Refuses the request that would have started. The next one has its turn in the next pass.
fn refuse_start(world: &mut World, npc: Entity, id: &Id, error: RequestError) {
    refuse(world, Some(npc), id, error);
    let queue = world.get::<RequestQueue>(npc);
    if queue.is_some_and(|queue| !queue.is_empty()) {
        world.get_resource_or_init::<ReadyNpcs>().0.insert(npc);
    }
}
