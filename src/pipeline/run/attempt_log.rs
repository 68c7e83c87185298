//! Puts the record of an attempt together, once, when the attempt is over.

use super::attempt::{AttemptFailure, AttemptLog, AttemptRecord, ChoiceRecord, ParsedReply};
use crate::base::canonical::Digest;
use crate::engine::Inference;
use crate::engine::{Sampling, Stage};
use crate::gate::Verdict;
use crate::pipeline::listening::ReplyInProgress;
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::run::Run;
use crate::pipeline::stage::StageSnapshot;
use crate::pipeline::steps::prompt::AssembledPrompt;
use crate::pipeline::steps::snapshot::StateSnapshot;
use crate::proposal::Finish;
use crate::rules::ConstraintList;
use bevy::prelude::*;
use std::sync::Arc;

/// What the frozen input of an attempt says of itself, of a dialogue or of a stage.
pub(crate) struct Frozen<'a> {
    /// The hash of the input.
    pub id: Digest,
    /// The stage that is asked.
    pub stage: Stage,
    /// Which attempt, counted from 0.
    pub attempt: u32,
    /// The sampling seed.
    pub seed: u64,
    /// How the model chooses its words; `None` of a stage.
    pub sampling: Option<&'a Arc<Sampling>>,
    /// The constraints.
    pub constraints: &'a ConstraintList,
}

impl<'a> Frozen<'a> {
    /// The frozen input of a run, from the one of the two snapshots that it has.
    pub(crate) fn of(
        run: &Run,
        dialogue: Option<&'a StateSnapshot>,
        stage: Option<&'a StageSnapshot>,
    ) -> Option<Self> {
        let stage = stage.map(|stage| Self {
            id: stage.id,
            stage: run.stage(),
            attempt: stage.attempt,
            seed: stage.seed,
            sampling: None,
            constraints: &stage.constraints,
        });
        stage.or_else(|| {
            let snapshot = dialogue?;
            let body = snapshot.body();
            Some(Self {
                id: snapshot.id(),
                stage: body.ask.stage(),
                attempt: body.attempt,
                seed: body.seed,
                sampling: Some(&body.sampling),
                constraints: &body.constraints,
            })
        })
    }
}

/// The components of a run from which the record of its current attempt is put together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptParts<'a> {
    pub run: &'a Run,
    pub log: Option<&'a AttemptLog>,
    pub snapshot: Option<&'a StateSnapshot>,
    pub stage: Option<&'a StageSnapshot>,
    pub prompt: Option<&'a AssembledPrompt>,
    pub inference: Option<&'a Inference>,
    pub failure: Option<&'a AttemptFailure>,
    pub parsed: Option<&'a ParsedReply>,
    pub verdict: Option<&'a Verdict>,
    pub choice: Option<&'a ChoiceRecord>,
}

impl<'a> AttemptParts<'a> {
    /// What is there of the current attempt of a run.
    pub(crate) fn of(run: &'a Run, entity: EntityRef<'a>) -> Self {
        Self {
            run,
            log: entity.get(),
            snapshot: entity.get(),
            stage: entity.get(),
            prompt: entity.get(),
            inference: entity.get(),
            failure: entity.get(),
            parsed: entity.get(),
            verdict: entity.get(),
            choice: entity.get(),
        }
    }
}

impl AttemptParts<'_> {
    /// The record of the attempt that a run is making, as far as it has come. `None` when no attempt is under way: its prompt
    /// has not been written yet, or it is over and is in the run's [`AttemptLog`].
    pub(crate) fn record(self) -> Option<AttemptRecord> {
        let is_open = self.log?.0.len() == self.run.attempt() as usize;
        let prompt = self.prompt.filter(|_| is_open)?;
        let frozen = Frozen::of(self.run, self.snapshot, self.stage)?;
        let arrived = self.inference.cloned().unwrap_or_default();
        // Of a call that was cancelled with its run there is no reply.
        let is_judged = self.verdict.is_some() || !arrived.aborted;
        let has_reply = self.failure.is_none() && self.inference.is_some() && is_judged;
        Some(AttemptRecord {
            index: frozen.attempt,
            stage: frozen.stage,
            choice: self.choice.cloned().map(Box::new),
            snapshot: frozen.id,
            seed: frozen.seed,
            prompt: prompt.text().clone(),
            messages: prompt.messages().clone(),
            sections: prompt.sections.clone(),
            cut: prompt.cut.clone(),
            sampling: frozen.sampling.cloned(),
            constraints: frozen.constraints.clone(),
            reply: has_reply.then(|| {
                let counted = arrived.counted.unwrap_or(arrived.bytes.len());
                let bytes = arrived.bytes.get(..counted).unwrap_or_default();
                String::from_utf8_lossy(bytes).into_owned()
            }),
            finish: if has_reply {
                arrived.finish
            } else {
                Finish::default()
            },
            arrived,
            proposal: self.parsed.map(|parsed| parsed.0.clone()),
            error: self.failure.map(|failure| failure.error),
            error_message: self.failure.map(|failure| failure.message.clone()),
            verdict: self.verdict.cloned(),
            passed: false,
        })
    }
}

/// Takes away what the last attempt has left on a run: its next one begins.
pub(crate) fn begin_attempt(world: &mut World, run: Entity) {
    if let Ok(mut run) = world.get_entity_mut(run) {
        if let Some(mut heard) = run.get_mut::<HeardSentences>() {
            heard.begin_attempt();
        }
        run.remove::<(
            AssembledPrompt,
            Inference,
            AttemptFailure,
            ParsedReply,
            Verdict,
            ReplyInProgress,
        )>();
    }
}

/// Moves the current attempt of a run to its log, if one is under way.
pub(crate) fn close_attempt(world: &mut World, run: Entity, passed: bool) {
    let Ok(mut entity) = world.get_entity_mut(run) else {
        return;
    };
    let Some(run) = entity.get::<Run>() else {
        return;
    };
    let parts = AttemptParts::of(run, entity.as_readonly());
    let Some(record) = parts.record() else {
        return;
    };
    if let Some(mut log) = entity.get_mut::<AttemptLog>() {
        let attempts = Arc::make_mut(&mut log.0);
        // Most runs make one attempt.
        attempts.reserve_exact(1);
        attempts.push(AttemptRecord { passed, ..record });
    }
}
