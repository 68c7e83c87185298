//! What of a run's components goes into its record.

use crate::engine::{EngineIdentity, RunEngine};
use crate::journal::record::{
    AttemptOutputs, BeforeAfter, EffectOutputs, InteractionOutputs, OutcomeOutputs,
    RecordedContext, RecordedReply,
};
use crate::pipeline::mutation::AppliedChanges;
use crate::pipeline::{
    ApprovedIntents, AttemptLog, ConstraintSet, InteractionContext, MutationReport, Outcome,
    RetrievedContext, Run,
};
use bevy::prelude::*;

/// The components of a run that has ended.
pub(super) struct RunParts<'w> {
    run: &'w Run,
    context: &'w InteractionContext,
    outcome: &'w Outcome,
    log: &'w AttemptLog,
    engine: Option<&'w RunEngine>,
    constraints: Option<&'w ConstraintSet>,
    memory: Option<&'w RetrievedContext>,
    report: Option<&'w MutationReport>,
    intents: Option<&'w ApprovedIntents>,
    changes: Option<&'w AppliedChanges>,
}

impl<'w> RunParts<'w> {
    /// The components of this run; `None` when it is not a run that has ended.
    pub fn of(world: &'w World, run: Entity) -> Option<Self> {
        Some(Self {
            run: world.get(run)?,
            context: world.get(run)?,
            outcome: world.get(run)?,
            log: world.get(run)?,
            engine: world.get(run),
            constraints: world.get(run),
            memory: world.get(run),
            report: world.get(run),
            intents: world.get(run),
            changes: world.get(run),
        })
    }

    /// Why the character responded.
    pub fn context(&self) -> RecordedContext {
        self.context.into()
    }

    /// Which engine it was given; `None` when the game had removed the default one.
    pub fn engine(&self) -> Option<&'w EngineIdentity> {
        self.engine.map(RunEngine::identity)
    }

    /// What the engine answered, by attempt.
    pub fn replies(&self) -> Vec<RecordedReply> {
        self.log.0.iter().map(RecordedReply::from).collect()
    }

    /// What came of it.
    pub fn outputs<'a>(
        &self,
        mind: BeforeAfter,
        world: BeforeAfter,
        identity: Option<&'a EngineIdentity>,
    ) -> InteractionOutputs<'a>
    where
        'w: 'a,
    {
        InteractionOutputs {
            npc: self.run.npc(),
            stage: self.run.stage().snake_case(),
            policy: self.run.policy(),
            identity,
            constraints: self.constraints.map(|set| &*set.constraints),
            memory: self.memory.map(RetrievedContext::summary),
            attempts: self.log.0.iter().map(AttemptOutputs::from).collect(),
            outcome: OutcomeOutputs::from(self.outcome),
            effects: EffectOutputs {
                memories: self.report.map_or(&[], |report| &report.done),
                failures: self.report.map_or(&[], |report| &report.failures),
                rejected: self.report.map_or(&[], |report| &report.rejected),
                intents: self.intents.map_or(&[], |intents| &intents.0),
                changes: self.changes.map_or(&[], |changes| &changes.0),
            },
            mind,
            world,
        }
    }
}
