//! A call of a stage that other code waits for: one way to start it, to wait for it, and to learn why it failed.

use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::engine::{EngineChoiceError, Stage};
use crate::events::RunStarted;
use crate::npc::limits_of_id;
use crate::outbox::Outbox;
use crate::pipeline::run::Run;
use crate::pipeline::run::attempt::AttemptLog;
use crate::pipeline::run::finish::end_run;
use crate::pipeline::run::outcome::Outcome;
use crate::pipeline::stage::{StageResult, StageTask};
use crate::pipeline::steps::interaction::{
    InteractionContext, RunNumbers, choose_engine, spawn_run,
};
use crate::policy::RunPolicy;
use crate::rules::TriggerReason;
use bevy::prelude::*;

/// A call of a stage. It goes through the pipeline as a run does, and the code that started it asks it for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StageCall(Entity);

impl StageCall {
    /// Starts a call. `host` is the entity that it belongs to, which carries a [`StageHost`](crate::pipeline::StageHost);
    /// `actor` is whose intention it makes, resolves or reads, and `interactions` is how many runs that one has ended before.
    ///
    /// # Errors
    /// `EngineChoiceError` when no engine can serve the stage. No call has started then.
    pub(crate) fn start(
        world: &mut World,
        host: Entity,
        stage: Stage,
        actor: &Id,
        reason: TriggerReason,
        interactions: u64,
        task: StageTask,
    ) -> std::result::Result<Self, EngineChoiceError> {
        let engine = choose_engine(world, host, stage)?;
        let clock = *world.get_resource_or_init::<DramatisClock>();
        let context = InteractionContext {
            input: Some(task.input.clone()).filter(|input| !input.is_empty()),
            interaction_count: interactions,
            ..InteractionContext::bare(actor, reason, clock.game)
        };
        let number = RunNumbers::next(world);
        let policy = match stage {
            Stage::PlanIntent | Stage::Plan => RunPolicy::PLAN,
            Stage::Parser => parser_policy(world, actor),
            Stage::PlayerLines => RunPolicy {
                max_attempts: 1,
                ..RunPolicy::STAGE
            },
            _ => RunPolicy::STAGE,
        };
        let run = Run::new(number, (host, actor), stage, policy, clock.call);
        let run = spawn_run(world, run, engine, (context, task));
        // The game gets no event for a run in the background.
        if !stage.is_background() {
            world
                .get_resource_or_init::<Outbox>()
                .tell_about(RunStarted {
                    entity: Some(host),
                    npc: actor.clone(),
                    run,
                });
        }
        Ok(Self(run))
    }

    /// The entity of its run.
    pub(crate) fn run(self) -> Entity {
        self.0
    }

    /// Whether it waits for nothing more: it was answered, it failed, or its run is gone.
    pub(crate) fn is_over(self, world: &World) -> bool {
        world.get::<Run>(self.0).is_none() || world.get::<Outcome>(self.0).is_some()
    }

    /// Ends it without an answer, if it is not over.
    pub(crate) fn cancel(self, world: &mut World) {
        if !self.is_over(world) {
            end_run(world, self.0, Outcome::Cancelled);
        }
    }

    /// Takes what the gate approved of its reply, with the run that may spend it.
    ///
    /// # Errors
    /// Why it has none, for people: it failed, was cancelled, is not over, or was asked before.
    pub(crate) fn take(self, world: &mut World) -> std::result::Result<(Run, StageResult), String> {
        let accepted = matches!(world.get::<Outcome>(self.0), Some(Outcome::Accepted { .. }));
        let answer = world.get_entity_mut(self.0).ok().and_then(|mut entity| {
            let result = accepted.then(|| entity.take::<StageResult>())??;
            Some((entity.get::<Run>()?.clone(), result))
        });
        answer.ok_or_else(|| self.why_failed(world))
    }

    /// Its last error, or its last finding.
    fn why_failed(self, world: &World) -> String {
        let outcome = world.get::<Outcome>(self.0);
        let outcome = outcome.map_or("Cancelled", Outcome::name);
        let last = world.get::<AttemptLog>(self.0).and_then(|log| log.0.last());
        let finding = last
            .and_then(|last| last.verdict.as_ref())
            .and_then(|verdict| verdict.failures.first());
        match (last, finding) {
            (Some(last), _) if last.error.is_some() => {
                let error = last.error.map(|error| format!("{error:?}"));
                let message = last.error_message.as_deref().unwrap_or_default();
                format!("{}: {message}", error.unwrap_or_default())
            }
            (_, Some(failure)) => format!("{:?}: {}", failure.reason, failure.message),
            _ => outcome.to_owned(),
        }
    }
}

/// How the call of a parser goes: as long as its actor's limits allow.
fn parser_policy(world: &World, actor: &Id) -> RunPolicy {
    RunPolicy {
        deadline: limits_of_id(world, actor).parser_patience,
        ..RunPolicy::STAGE
    }
}
