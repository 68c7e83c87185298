//! The step that freezes the input of an attempt, from the world or from the last attempt.

use super::body::SnapshotBody;
use super::kept_affordances::{Asked, KeptAffordances};
use super::{Escalated, SnapshotError, SnapshotInputs, StateSnapshot};
use crate::authoring::Character;
use crate::authoring::character::Example;
use crate::base::canonical::{Digest, Hashing};
use crate::base::seed::WorldSeed;
use crate::engine::RunEngine;
use crate::npc::doing::doing;
use crate::npc::limits::limits_with;
use crate::npc::{LoadedCharacter, Thinking, limit_overrides};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{
    RunFault, Step, StepResult, character_component, run_component,
};
use crate::pipeline::run::attempt::{AttemptLog, ChoiceRecord};
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::steps::expectancy::ConstraintSet;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::pipeline::steps::prompt::budget::PromptBudget;
use crate::pipeline::steps::retrieval::RetrievedContext;
use crate::sampling::Sampling;
use crate::story::{ActiveStory, action_rules};
use crate::world::WorldView;
use crate::world::refresh::world_digest;
use bevy::prelude::*;

/// The step: freezes the input of a run's next attempt.
pub(crate) struct FreezeSnapshot;

impl Step for FreezeSnapshot {
    const PHASE: RunPhase = RunPhase::Snapshot;
    const READS: Option<RunStep> = Some(RunStep::Snapshot);
    /// The hash of the judged world, which is the same for all runs of a frame.
    type Frame = Option<Digest>;

    fn run(&self, world: &mut World, entity: Entity, hash: &mut Option<Digest>) -> StepResult {
        let world_hash = match *hash {
            Some(hash) => hash,
            None => *hash.insert(world_digest(world)),
        };
        let escalated = world.entity_mut(entity).take::<Escalated>();
        let frozen = freeze(world, entity, escalated, world_hash)?;
        let snapshot = frozen?;
        let body = snapshot.body.clone();
        let attempt = body.attempt;
        let mut run = world.entity_mut(entity);
        run.insert(snapshot).remove::<ChoiceRecord>();
        let Some(mut run) = run.get_mut::<Run>() else {
            return Err(RunFault::RunComponent("Run"));
        };
        run.set_attempt(attempt);
        let npc = run.npc_entity();
        keep_affordances(world, npc, world_hash, &body);
        if let Ok(mut npc) = world.get_entity_mut(npc)
            && let Some(thinking) = npc.get::<Thinking>().copied()
            && thinking.attempt != attempt
        {
            npc.insert(Thinking {
                attempt,
                ..thinking
            });
        }
        let has_chosen = body.ask.words().is_some_and(|words| words.does.is_some());
        Ok(match has_chosen {
            true => RunPhase::Choosing,
            false => RunPhase::Prompt,
        })
    }
}

/// Keeps what a character can do for its next run.
fn keep_affordances(world: &mut World, npc: Entity, world_hash: Digest, body: &SnapshotBody) {
    let asked = Asked {
        world: world_hash,
        may: body.may.as_deref(),
        left_out: &body.crowd,
    };
    let known = world.get::<KeptAffordances>(npc);
    if body.attempt > 0 || known.is_some_and(|kept| kept.is(asked, &body.affordances)) {
        return;
    }
    let kept = KeptAffordances::keep(world, asked, &body.affordances, &body.action_words);
    let Ok(mut npc) = world.get_entity_mut(npc) else {
        return;
    };
    match kept {
        Some(kept) => npc.insert(kept),
        None => npc.remove::<KeptAffordances>(),
    };
}

/// How the model chooses its words, as the files of a character and of the story say.
pub(in crate::pipeline) fn sampling_of(world: &World, character: Option<&Character>) -> Sampling {
    let story = &world.resource::<ActiveStory>().0.sampling;
    character.map_or_else(|| story.clone(), |own| own.sampling.or(story))
}

fn trigger_examples(world: &World, run: Entity) -> std::result::Result<&[Example], RunFault> {
    let context = run_component::<InteractionContext>(world, run)?;
    let story = &world.resource::<ActiveStory>().0;
    let trigger = context.trigger_id.as_ref();
    let examples = trigger.and_then(|id| story.trigger_examples.get(id.as_str()));
    Ok(examples.map(Vec::as_slice).unwrap_or_default())
}

/// The snapshot of a run's next attempt: from the last one where there is one, else from the world.
fn freeze(
    world: &World,
    entity: Entity,
    escalated: Option<Escalated>,
    world_hash: Digest,
) -> std::result::Result<std::result::Result<StateSnapshot, SnapshotError>, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    if !run_component::<AttemptLog>(world, entity)?.0.is_empty() {
        let last = run_component::<StateSnapshot>(world, entity)?;
        let escalated = escalated.ok_or(RunFault::RunComponent("Escalated"))?;
        return Ok(last.for_retry(escalated, run.most_attempts()));
    }
    let overrides = limit_overrides(world, run.npc_entity());
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let inputs = SnapshotInputs {
        stage: run.stage(),
        character,
        sampling: sampling_of(world, Some(character)),
        trigger_examples: trigger_examples(world, entity)?,
        world_seed: world.resource::<WorldSeed>().0,
        budget: world.resource::<PromptBudget>().with(&overrides),
        limits: limits_with(world, &overrides),
        engine: run_component::<RunEngine>(world, entity)?.identity(),
        world: &WorldView::new(world),
        doing: &|id| doing(world, id),
        actions: action_rules(world),
        world_hash,
        max_attempts: run.policy().max_attempts,
        apart: run.policy().is_apart(),
        kept: KeptAffordances::of(world, run.npc_entity()),
        hashing: world.get_resource().copied().unwrap_or(Hashing::ByParts),
    };
    Ok(StateSnapshot::first(
        &inputs,
        run_component::<InteractionContext>(world, entity)?,
        run_component::<ConstraintSet>(world, entity)?,
        run_component::<RetrievedContext>(world, entity)?,
    ))
}
