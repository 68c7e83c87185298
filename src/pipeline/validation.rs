//! Component 7, validation: parse, then every judge of the gate (contract row P7).

use super::expectancy::ConstraintSet;
use super::inference::Inference;
use super::interaction::InteractionContext;
use super::run::{ActiveRun, AttemptLog, Run, RunPhase};
use super::snapshot::StateSnapshot;
use crate::counters::DramatisCounters;
use crate::gate::{Approvals, Bench, CustomChecks, FailureReason, Rejection, Verdict, judge};
use crate::npc::{KnownNames, Persona};
use crate::proposal::{ParseOptions, parse};
use crate::rules::Topic;
use crate::story::ActiveStory;
use crate::world::components::JudgedWorld;
use bevy::prelude::*;

/// What a passed verdict approved, until it is committed.
#[derive(Component, Debug, Default)]
pub(crate) struct Pending(pub Approvals);

/// Counts what a verdict blocked.
pub(crate) fn count_blocked(verdict: &Verdict, counters: &mut DramatisCounters) {
    for rejected in &verdict.rejected_mutations {
        match rejected.reason {
            Rejection::Gate(FailureReason::CanonMutation) => counters.canon_writes_blocked += 1,
            Rejection::Gate(FailureReason::AuthorityViolation) => counters.authority_blocked += 1,
            _ => {}
        }
    }
}

type Judged<'a> = (
    Entity,
    &'a mut Run,
    &'a InteractionContext,
    &'a ConstraintSet,
    &'a StateSnapshot,
    &'a Inference,
    &'a mut AttemptLog,
);

/// Judges each reply that waits for it.
pub(crate) fn judge_replies(
    mut commands: Commands,
    mut runs: Query<Judged, With<ActiveRun>>,
    personas: Query<&Persona>,
    (story, checks, names): (Res<ActiveStory>, Res<CustomChecks>, Res<KnownNames>),
    mut counters: ResMut<DramatisCounters>,
    world: JudgedWorld,
) {
    for (entity, mut run, context, constraints, snapshot, inference, mut log) in &mut runs {
        if run.phase != RunPhase::Validation {
            continue;
        }
        let Ok(persona) = personas.get(run.npc_entity) else {
            continue;
        };
        let character = &persona.0;
        let options = ParseOptions {
            finish: inference.finish,
            known_names: &names.0,
        };
        let reply = parse(&inference.bytes, &options);
        let body = snapshot.body();
        let closed: Vec<Topic> = character
            .rules
            .hidden
            .iter()
            .filter(|hidden| {
                body.closed_topics
                    .iter()
                    .any(|topic| **topic == *hidden.topic.source)
            })
            .map(|hidden| hidden.topic.clone())
            .collect();
        let bench = Bench {
            run: run.number,
            interaction: context.conditions(),
            constraints: &body.constraints,
            canon: &story.0.canon,
            forbidden: &character.rules.forbidden,
            closed: &closed,
            custom: &constraints.custom,
            checks: &checks,
            may: character.may.as_deref(),
            world: &world,
        };
        let (verdict, approvals) = judge(&bench, &reply);
        count_blocked(&verdict, &mut counters);
        for failure in &verdict.failures {
            // A model's mistake, not ours: an attacker must not be able to flood the log.
            log::debug!(
                "{}: attempt {}: {:?} {}: {}",
                run.npc,
                run.attempt,
                failure.reason,
                failure.rule,
                failure.message
            );
        }
        run.phase = if verdict.passed {
            RunPhase::Commit
        } else {
            RunPhase::Failed
        };
        run.hopeless |= verdict.is_critical();
        if let Some(record) = log.0.last_mut() {
            record.verdict = Some(verdict.clone());
        }
        commands
            .entity(entity)
            .insert((verdict, Pending(approvals)));
    }
}
