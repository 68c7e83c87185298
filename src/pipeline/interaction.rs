//! Component 1, interaction: why a character should respond now (contract row P1).

use super::inference::SealedRight;
use super::run::{ActiveRun, AttemptLog, DialoguePolicy, ReadyNpcs, Run, RunOf, RunPhase};
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::engine::Stage;
use crate::events::{Outbox, Outgoing, RunStarted};
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, Request, RequestQueue, Thinking};
use crate::pipeline::hook::{RunStep, tell};
use crate::rules::{Interaction, TriggerReason};
use bevy::prelude::*;
use serde::Serialize;

/// The context of one interaction. Immutable once built.
#[derive(Component, Debug, Clone, PartialEq, Eq, Serialize)]
#[component(immutable)]
pub struct InteractionContext {
    /// Why.
    pub reason: TriggerReason,
    /// The NPC's id.
    pub npc: String,
    /// Who speaks.
    pub speaker: Option<String>,
    /// What is said.
    pub input: Option<String>,
    /// When, in game time.
    pub game_time: Millis,
    /// The scene.
    pub scene: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// The trigger's id.
    pub trigger_id: Option<String>,
    /// What the trigger wants.
    pub prompt: Option<String>,
    /// How many Accepted and Fallback runs the NPC has ended before.
    pub interaction_count: u64,
}

impl InteractionContext {
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

    /// What memories are searched for: what is said, else what the trigger wants.
    #[must_use]
    pub fn words(&self) -> &str {
        self.input
            .as_deref()
            .or(self.prompt.as_deref())
            .unwrap_or_default()
    }

    fn new(request: Request, npc: &str, now: Millis, mind: &Mind) -> Self {
        Self {
            reason: request.reason,
            npc: npc.to_owned(),
            speaker: request.speaker,
            input: request.input,
            game_time: now,
            scene: request.scene,
            tags: request.tags,
            trigger_id: request.trigger_id,
            prompt: request.prompt,
            interaction_count: mind.interactions,
        }
    }
}

/// How many runs have started.
#[derive(Resource, Debug, Default)]
pub(crate) struct RunNumbers(pub u64);

/// Starts a run for each NPC that has a request and no run in flight.
pub(crate) fn start_runs(world: &mut World) {
    let ready: Vec<Entity> = std::mem::take(&mut world.resource_mut::<ReadyNpcs>().0)
        .into_iter()
        .collect();
    let mut waiting: Vec<(u64, Entity)> = ready
        .into_iter()
        .filter_map(|npc| {
            let (number, _) = world.get::<RequestQueue>(npc)?.waiting.front()?;
            let free =
                world.get::<LoadedCharacter>(npc).is_some() && world.get::<Thinking>(npc).is_none();
            free.then_some((*number, npc))
        })
        .collect();
    waiting.sort_unstable();
    for (_, npc) in waiting {
        start_run(world, npc);
    }
}

fn start_run(world: &mut World, npc: Entity) {
    let clock = *world.resource::<DramatisClock>();
    let policy = world.resource::<DialoguePolicy>().0;
    let Some(id) = world
        .get::<LoadedCharacter>(npc)
        .map(|persona| persona.0.id.clone())
    else {
        return;
    };
    let Some((_, request)) = world
        .get_mut::<RequestQueue>(npc)
        .and_then(|mut q| q.waiting.pop_front())
    else {
        return;
    };
    let Some(context) = world
        .get::<Mind>(npc)
        .map(|mind| InteractionContext::new(request, &id, clock.game, mind))
    else {
        return;
    };
    let mut numbers = world.resource_mut::<RunNumbers>();
    let number = numbers.0;
    numbers.0 += 1;
    let run = world
        .spawn((
            Run {
                number,
                npc: id.clone(),
                npc_entity: npc,
                stage: Stage::Dialogue,
                policy,
                phase: RunPhase::Expectancy,
                attempt: 0,
                started: clock.call,
                thinking_line_spoken: false,
                no_retry: false,
            },
            RunOf(npc),
            ActiveRun,
            AttemptLog::default(),
            context,
        ))
        .id();
    if policy.sealed {
        world.entity_mut(run).insert(SealedRight::new());
    }
    world.entity_mut(npc).insert(Thinking {
        run,
        since: clock.call,
        attempt: 0,
    });
    tell(world, |hook, world| {
        hook.reading(world, run, RunStep::Start)
    });
    world
        .resource_mut::<Outbox>()
        .0
        .push(Outgoing::RunStarted(RunStarted {
            entity: npc,
            npc: id.to_owned(),
            run,
        }));
}
