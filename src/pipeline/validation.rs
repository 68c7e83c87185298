//! Component 7, validation: parse, then every judge of the gate (contract row P7).

use super::expectancy::ConstraintSet;
use super::inference::Inference;
use super::interaction::InteractionContext;
use super::run::{ActiveRun, AttemptLog, Run, RunPhase, advance, in_phase};
use super::snapshot::StateSnapshot;
use crate::authoring::{Character, StoryBook};
use crate::base::counters::DramatisCounters;
use crate::base::seed::WorldSeed;
use crate::gate::{
    ActionContext, Approvals, CustomChecks, FailureReason, GateContext, Rejection, SnapshotView,
    Verdict, judge,
};
use crate::npc::{KnownNames, LoadedCharacter, PlayerId};
use crate::pipeline::hook::{RunStep, tell};
use crate::proposal::{InvalidFormat, ParseOptions, Proposal, parse};
use crate::rules::{Constraint, CustomRule, Topic};
use crate::story::{ActiveStory, action_rules};
use crate::world::apply::TurnKey;
use crate::world::refresh::refresh;
use crate::world::{ActionRules, WorldView};
use bevy::prelude::*;
use std::sync::Arc;

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

/// What the gate judges the actions of a run by.
pub(crate) fn action_context<'a>(
    world: &'a World,
    context: &InteractionContext,
    snapshot: &'a StateSnapshot,
    people: &'a [&'a str],
) -> ActionContext<'a> {
    ActionContext {
        rules: action_rules(world),
        key: TurnKey {
            seed: world.resource::<WorldSeed>().0,
            keys: vec![
                "run".to_owned(),
                context.npc.clone(),
                context.interaction_count.to_string(),
            ],
        },
        people,
        seen: SnapshotView {
            entities: &snapshot.body().seen,
            flags: &snapshot.body().flags,
            time: context.game_time,
        },
    }
}

/// Judges each reply that waits for it.
pub(crate) fn judge_replies(
    world: &mut World,
    runs: &mut QueryState<(Entity, &Run), With<ActiveRun>>,
) {
    for entity in in_phase(world, runs, RunPhase::Validation) {
        tell(world, |hook, world| {
            hook.reading(world, entity, RunStep::Validation)
        });
        refresh(world);
        let Some((verdict, approvals, proposal)) = judge_reply(world, entity) else {
            continue;
        };
        count_blocked(&verdict, &mut world.resource_mut::<DramatisCounters>());
        let phase = if verdict.passed {
            RunPhase::Commit
        } else {
            RunPhase::Failed
        };
        if let Some(mut run) = world.get_mut::<Run>(entity) {
            run.no_retry |= verdict.is_critical();
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
        }
        if let Some(mut log) = world.get_mut::<AttemptLog>(entity)
            && let Some(record) = log.0.last_mut()
        {
            record.verdict = Some(verdict.clone());
            record.proposal = Some(proposal);
        }
        advance(world, entity, phase, (verdict, Pending(approvals)));
    }
}

type Read = std::result::Result<Proposal, InvalidFormat>;

/// What an attempt is judged by, beside the world: authored things that another opinion may have other ones of.
pub(crate) struct RuleSet<'a> {
    /// Canon and the rulebook.
    pub book: &'a StoryBook,
    /// What it may do and must not speak of.
    pub character: &'a Character,
    /// The constraints of this attempt.
    pub constraints: &'a [Arc<Constraint>],
    /// Custom rules of every level.
    pub custom: &'a [CustomRule],
    /// Hidden topics that were closed when the input was frozen.
    pub closed: &'a [Topic],
}

fn judge_reply(world: &World, entity: Entity) -> Option<(Verdict, Approvals, Read)> {
    let run = world.get::<Run>(entity)?;
    let character = &world.get::<LoadedCharacter>(run.npc_entity)?.0;
    let body = world.get::<StateSnapshot>(entity)?.body();
    let is_closed = |topic: &Topic| {
        body.closed_topics
            .iter()
            .any(|closed| **closed == *topic.source)
    };
    let hidden = character.rules.hidden.iter().map(|hidden| &hidden.topic);
    let closed: Vec<Topic> = hidden.filter(|topic| is_closed(topic)).cloned().collect();
    let laws = RuleSet {
        book: &world.resource::<ActiveStory>().0,
        character,
        constraints: &body.constraints,
        custom: &world.get::<ConstraintSet>(entity)?.custom,
        closed: &closed,
    };
    judge_by(world, entity, &laws)
}

/// What the gate says of the reply of a run by these laws, in the world as it is now. Nothing changes.
pub(crate) fn judge_by(
    world: &World,
    entity: Entity,
    laws: &RuleSet,
) -> Option<(Verdict, Approvals, Read)> {
    let run = world.get::<Run>(entity)?;
    let context = world.get::<InteractionContext>(entity)?;
    let snapshot = world.get::<StateSnapshot>(entity)?;
    let inference = world.get::<Inference>(entity)?;
    let options = ParseOptions {
        finish: inference.finish,
        known_names: &world.resource::<KnownNames>().0,
    };
    let reply = parse(&inference.bytes, &options);
    let player = &world.resource::<PlayerId>().0;
    let people: Vec<&str> = [player.as_str()]
        .into_iter()
        .chain(context.speaker.as_deref())
        .collect();
    let mut actions = action_context(world, context, snapshot, &people);
    actions.rules = ActionRules {
        book: laws.book.rulebook(),
        ..actions.rules
    };
    let bench = GateContext {
        run: run.number,
        interaction: context.conditions(),
        constraints: laws.constraints,
        canon: &laws.book.canon,
        forbidden: &laws.character.rules.forbidden,
        closed: laws.closed,
        custom: laws.custom,
        checks: world.resource::<CustomChecks>(),
        may: laws.character.may.as_deref(),
        world: &WorldView::new(world),
        actions,
    };
    let (verdict, approvals) = judge(&bench, &reply);
    Some((verdict, approvals, reply))
}
