//! A reply that is heard sentence by sentence, between components 6 and 7.
//!
//! While a call is in flight, [`ReplyReader`] returns the parts of the reply that are certain. The code judges each part before
//! it reads the next: first the action, then the speech. A sentence that passes is heard at once and stays heard; a part that
//! fails cancels the call. When the reply is over, [`validation`](crate::pipeline::steps::validation) judges the rest, with the
//! last sentence and the required parts; the commit applies it like any other reply.

use super::heard::{HeardSentences, hear};
use crate::base::counters::DramatisCounters;
use crate::engine::EngineError;
use crate::gate::{HeardBefore, Verdict};
use crate::judged_world::state::senses::Senses;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{RunFault, Step, StepResult, run_component};
use crate::pipeline::listening::{Judged, ReplyInProgress};
use crate::pipeline::run::attempt::{AttemptError, AttemptFailure, ParsedReply};
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::steps::inference::abort;
use crate::pipeline::steps::snapshot::StateSnapshot;
use crate::pipeline::steps::validation::{
    RuleSet, count_blocked, judge_part, judge_part_by, note_failures,
};
use crate::proposal::Proposal;
use crate::world::WorldView;
use crate::world::refresh::refresh;
use bevy::prelude::*;

/// The step: judges the next part of a reply that is coming.
pub(crate) struct JudgePart;

impl Step for JudgePart {
    const PHASE: RunPhase = RunPhase::Listening;
    const READS: Option<RunStep> = Some(RunStep::Sentence);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        refresh(world);
        let judged = judge_next(world, entity)?;
        match judged {
            Judged::Unreadable => {
                let error = EngineError::NotUtf8;
                let failure = AttemptFailure {
                    error: AttemptError::NotUtf8,
                    message: error.to_string(),
                };
                abort(world, entity);
                world.entity_mut(entity).insert(failure);
                Ok(RunPhase::Failed)
            }
            Judged::Failed(failed) => {
                let (verdict, read) = *failed;
                count_blocked(&verdict, &mut world.resource_mut::<DramatisCounters>());
                abort(world, entity);
                if let Some(mut run) = world.get_mut::<Run>(entity) {
                    note_failures(&mut run, &verdict);
                }
                world
                    .entity_mut(entity)
                    .insert((verdict, ParsedReply(read)));
                Ok(RunPhase::Failed)
            }
            Judged::Passed(line) => {
                if let Some(line) = line.filter(|_| !is_mute(world, entity)) {
                    hear(world, entity, &line);
                }
                Ok(RunPhase::Calling)
            }
        }
    }
}

fn judge_next(world: &mut World, entity: Entity) -> std::result::Result<Judged, RunFault> {
    let reply = run_component::<ReplyInProgress>(world, entity)?;
    let heard = run_component::<HeardSentences>(world, entity)?.before();
    let judge = |proposal: &Proposal, heard: Option<&HeardBefore>| {
        judge_part(world, entity, proposal, heard)
    };
    let asked = run_component::<StateSnapshot>(world, entity)?
        .body()
        .ask
        .words();
    let judged = reply.judge(&heard, asked, judge)?;
    if let Some(mut reply) = world.get_mut::<ReplyInProgress>(entity) {
        reply.note(&judged);
    }
    Ok(judged)
}

/// What other rules say of the part that is judged next. `None` when there is none that could be read.
pub(crate) fn next_part_by(entity: Entity, rules: &RuleSet) -> Option<Verdict> {
    let world = rules.rules.world;
    let reply = world.get::<ReplyInProgress>(entity)?;
    let heard = world.get::<HeardSentences>(entity)?.before();
    let judge = |proposal: &Proposal, heard: Option<&HeardBefore>| {
        judge_part_by(entity, rules, proposal, heard)
    };
    let asked = world.get::<StateSnapshot>(entity)?.body().ask.words();
    match reply.judge(&heard, asked, judge).ok()? {
        Judged::Passed(_) => Some(Verdict::of_nothing()),
        Judged::Failed(failed) => Some(failed.0),
        Judged::Unreadable => None,
    }
}

/// Whether the character of a run cannot speak, so that no sentence of it is heard.
fn is_mute(world: &World, entity: Entity) -> bool {
    let run = world.get::<Run>(entity);
    run.is_some_and(|run| Senses::of(&WorldView::new(world), run.npc()).mute)
}
