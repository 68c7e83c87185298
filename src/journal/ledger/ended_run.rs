//! What of a run goes into its record: taken when the run ends, and made into a record later.

use crate::engine::{EngineIdentity, RunEngine};
use crate::journal::record::{
    AttemptOutputs, BeforeAfter, EffectOutputs, InteractionOutputs, OutcomeOutputs, RecordedReply,
};
use crate::pipeline::steps::mutation::AppliedChanges;
use crate::pipeline::{
    ApprovedIntents, AttemptLog, ConstraintSet, InteractionContext, MutationReport, Outcome,
    RetrievalSummary, RetrievedContext, Run, RunPolicy,
};
use bevy::prelude::*;

/// The components of a run that has ended. Large parts are shared and not copied.
pub(super) struct EndedRun {
    pub stage: &'static str,
    pub policy: RunPolicy,
    pub context: InteractionContext,
    pub outcome: Outcome,
    log: AttemptLog,
    /// Which engine it was given; `None` when the game had removed the default one.
    pub engine: Option<EngineIdentity>,
    constraints: Option<ConstraintSet>,
    memory: Option<RetrievedContext>,
    report: Option<MutationReport>,
    intents: Option<ApprovedIntents>,
    pub changes: AppliedChanges,
}

impl EndedRun {
    /// The components of this run; `None` when it is not a run that has ended.
    pub fn of(world: &World, run: Entity) -> Option<Self> {
        let entity = world.get_entity(run).ok()?;
        let run = entity.get::<Run>()?;
        Some(Self {
            stage: run.stage().snake_case(),
            policy: run.policy(),
            context: entity.get::<InteractionContext>()?.clone(),
            outcome: entity.get::<Outcome>()?.clone(),
            log: entity.get::<AttemptLog>()?.clone(),
            engine: entity.get().map(RunEngine::identity).cloned(),
            constraints: entity.get().cloned(),
            memory: entity.get().cloned(),
            report: entity.get().cloned(),
            intents: entity.get().cloned(),
            changes: entity.get().cloned().unwrap_or_default(),
        })
    }

    /// What the engine answered, by attempt.
    pub fn replies(&self) -> Vec<RecordedReply> {
        self.log.0.iter().map(RecordedReply::from).collect()
    }

    /// The results of the run.
    pub fn outputs<'a>(
        &'a self,
        mind: BeforeAfter,
        world: BeforeAfter,
        identity: Option<&'a EngineIdentity>,
    ) -> InteractionOutputs<'a> {
        let report = self.report.as_ref();
        InteractionOutputs {
            npc: &self.context.npc,
            stage: self.stage,
            policy: self.policy,
            identity,
            constraints: self
                .constraints
                .as_ref()
                .map(|set| set.constraints.as_slice()),
            memory: self.memory.as_ref().map(RetrievalSummary::from),
            attempts: self.log.0.iter().map(AttemptOutputs::from).collect(),
            outcome: OutcomeOutputs::from(&self.outcome),
            effects: EffectOutputs {
                memories: report.map_or(&[], |report| &report.done),
                failures: report.map_or(&[], |report| &report.failures),
                rejected: report.map_or(&[], |report| &report.rejected),
                intents: self.intents.as_ref().map_or(&[], |intents| &intents.0),
                changes: &self.changes.0,
            },
            mind,
            world,
        }
    }
}
