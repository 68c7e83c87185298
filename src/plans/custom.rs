//! Checks, gates and causes of risk that a game writes in Rust. They can only tighten.

use super::checked_step::CheckedStep;
use super::decision::MAX_CUSTOM_GATES;
use super::order::PlanProblem;
use super::plan::PlanStep;
use super::profile::Answer;
use super::risk::MAX_RISK;
use crate::base::extension::{ExtensionError, ask};
use crate::base::ids::Id;
use crate::world::WorldRead;
use bevy::prelude::*;
use std::fmt;
use std::sync::Arc;

type GateFunction = dyn Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<Answer, ExtensionError>
    + Send
    + Sync;
type RiskFunction = dyn Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<u32, ExtensionError>
    + Send
    + Sync;

type CheckFunction = dyn Fn(&Id, &[CheckedStep], &dyn WorldRead) -> std::result::Result<Vec<String>, ExtensionError>
    + Send
    + Sync;

/// The checks, gates and causes of risk that a game adds, in the order in which they were added. All must be pure: a replay asks them
/// again. See [`add_plan_gate`](crate::app::DramatisAppExt::add_plan_gate).
#[derive(Resource, Clone, Default)]
pub struct PlanChecks {
    gates: Vec<(String, Arc<GateFunction>)>,
    risks: Vec<(String, Arc<RiskFunction>)>,
    checks: Vec<(String, Arc<CheckFunction>)>,
}

impl fmt::Debug for PlanChecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gates = self.gates.iter().map(|(name, _)| name);
        let risks = self.risks.iter().map(|(name, _)| name);
        f.debug_struct("PlanChecks")
            .field("gates", &gates.collect::<Vec<_>>())
            .field("risks", &risks.collect::<Vec<_>>())
            .field("checks", &self.checks.len())
            .finish()
    }
}

impl PlanChecks {
    /// Adds a gate. One more than [`MAX_CUSTOM_GATES`] is logged as an error and left out.
    pub(crate) fn add_gate(
        &mut self,
        name: String,
        gate: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<Answer, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) {
        if self.gates.len() >= MAX_CUSTOM_GATES {
            log::error!("too many plan gates: \"{name}\" was not added");
            return;
        }
        self.gates.push((name, Arc::new(gate)));
    }

    /// Adds a check.
    pub(crate) fn add_check(
        &mut self,
        name: String,
        check: impl Fn(
            &Id,
            &[CheckedStep],
            &dyn WorldRead,
        ) -> std::result::Result<Vec<String>, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) {
        self.checks.push((name, Arc::new(check)));
    }

    /// What the checks find wrong with these steps. One that errs or panics finds the whole plan wrong.
    #[must_use]
    pub(crate) fn problems(
        &self,
        npc: &Id,
        steps: &[CheckedStep],
        world: &dyn WorldRead,
    ) -> Vec<PlanProblem> {
        let found = self.checks.iter().flat_map(|(name, check)| {
            let broken = || vec!["the check itself has failed".to_owned()];
            let found = guarded(name, || check(npc, steps, world)).unwrap_or_else(broken);
            found
                .into_iter()
                .map(|message| PlanProblem::new(name.clone(), message))
        });
        found.collect()
    }

    /// Adds a cause of risk.
    pub(crate) fn add_risk(
        &mut self,
        name: String,
        risk: impl Fn(&Id, &[PlanStep], &dyn WorldRead) -> std::result::Result<u32, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) {
        self.risks.push((name, Arc::new(risk)));
    }

    /// What each gate answers. One that errs or panics denies. A gate cannot allow: that counts as having nothing to say.
    #[must_use]
    pub fn answers(
        &self,
        npc: &Id,
        steps: &[PlanStep],
        world: &dyn WorldRead,
    ) -> Vec<(String, Answer)> {
        let ask = |(name, gate): &(String, Arc<GateFunction>)| {
            let answer = guarded(name, || gate(npc, steps, world)).unwrap_or(Answer::Deny);
            let answer = match answer {
                Answer::Allow => Answer::Pass,
                other => other,
            };
            (name.clone(), answer)
        };
        self.gates.iter().map(ask).collect()
    }

    /// The points of each cause of risk. One that errs or panics gives all that there are.
    #[must_use]
    pub fn points(
        &self,
        npc: &Id,
        steps: &[PlanStep],
        world: &dyn WorldRead,
    ) -> Vec<(String, u32)> {
        let ask = |(name, risk): &(String, Arc<RiskFunction>)| {
            let points = guarded(name, || risk(npc, steps, world)).unwrap_or(MAX_RISK);
            (name.clone(), points.min(MAX_RISK))
        };
        self.risks.iter().map(ask).collect()
    }
}

/// What a function of the game answers; `None`, with a line in the log, when it errs or panics.
fn guarded<T>(
    name: &str,
    judge: impl FnOnce() -> std::result::Result<T, ExtensionError>,
) -> Option<T> {
    ask(judge)
        .inspect_err(|error| log::error!("\"{name}\" could not judge a plan: {error}"))
        .ok()
}
