//! Plans, judged a second time when their steps were written.

use super::findings::{Findings, Judged, compare};
use super::rules::ChangedRules;
use super::totals::{Reviewed, SharedTotals};
use crate::gate::{Failure, FailureReason, Verdict};
use crate::journal::ledger::InstalledLedger;
use crate::journal::record::RecordKind;
use crate::plans::event::PlanInput;
use crate::plans::hook::{InstalledPlanHook, PlanHook};
use crate::plans::second_opinion::{OtherRules, judge_by};
use crate::plans::{Answer, Plan, PlanStatus};
use crate::rules::RuleSeverity;
use bevy::prelude::*;
use std::sync::{Arc, PoisonError};

/// Stands before the ledger's hook, which it calls first.
pub(super) struct RegatePlans {
    first: Arc<dyn PlanHook>,
    rules: OtherRules,
    totals: SharedTotals,
}

impl RegatePlans {
    /// Takes the place of the installed hook.
    pub(super) fn install(world: &mut World, changed: &ChangedRules, totals: SharedTotals) {
        if let Some(InstalledPlanHook(first)) = world.remove_resource::<InstalledPlanHook>() {
            world.insert_resource(InstalledPlanHook(Arc::new(Self {
                first,
                rules: OtherRules {
                    story: changed.story.clone(),
                    characters: changed.characters.clone(),
                    settings: changed.plans.clone(),
                },
                totals,
            })));
        }
    }
}

impl PlanHook for RegatePlans {
    fn before_plan(&self, world: &mut World) {
        self.first.before_plan(world);
    }

    fn plan_changed(&self, world: &mut World, plan: &Plan, input: &PlanInput) {
        self.first.plan_changed(world, plan, input);
        let Some(after) = judge_by(world, plan, input, &self.rules) else {
            return;
        };
        let found = [plan, &after].map(|plan| Findings::of_reply(&verdict_on(plan)));
        let judged = Judged {
            seq: world.resource::<InstalledLedger>().position(),
            kind: RecordKind::Plan,
            npc: &plan.asked.npc,
            attempt: 0,
            line: &plan.asked.text,
        };
        let changed = compare(found, &judged);
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.characters.insert(plan.asked.npc.clone());
        totals.add(Reviewed::Turn { changed });
    }
}

/// What the checks and gates say of a plan, as a verdict: it passes when it may be carried out without asking.
fn verdict_on(plan: &Plan) -> Verdict {
    let failure = |rule: &str, message: String| Failure {
        reason: FailureReason::PlanRejected,
        rule: rule.to_owned(),
        severity: RuleSeverity::Hard,
        span: None,
        message,
    };
    let rejected = plan
        .failures
        .iter()
        .filter(|_| plan.status == PlanStatus::Rejected);
    let mut failures: Vec<Failure> = rejected
        .map(|problem| failure(&problem.rule, problem.message.clone()))
        .collect();
    let gates = plan.decision.iter().flat_map(|decision| &decision.gates);
    for gate in gates.filter(|gate| gate.result >= Answer::Confirm) {
        let rule = gate.reason.as_deref().unwrap_or(gate.gate.name());
        let says = match gate.result {
            Answer::Deny => "denies",
            _ => "asks",
        };
        failures.push(failure(
            rule,
            format!("the gate {} {says}", gate.gate.name()),
        ));
    }
    Verdict {
        passed: failures.is_empty(),
        failures,
        ..Verdict::default()
    }
}
