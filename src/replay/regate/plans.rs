//! Plans, judged a second time when their steps were written.

use super::edits::{EditedReply, Edits, JudgedReply};
use super::findings::{Findings, Judged, compare};
use super::rules::ChangedRules;
use super::totals::{SharedTotals, Totals};
use crate::base::lock::lock;
use crate::gate::{Failure, FailureReason, Verdict};
use crate::journal::ledger::InstalledLedger;
use crate::journal::record::RecordKind;
use crate::plans::event::PlanInput;
use crate::plans::hook::{InstalledPlanHook, PlanHook};
use crate::plans::judge::PlanJudge;
use crate::plans::{Answer, Plan, PlanStatus};
use crate::proposal::Finish;
use crate::rules::RuleSeverity;
use bevy::prelude::*;
use std::sync::Arc;

/// Runs before the ledger's hook, which it calls first.
pub(super) struct RegatePlans {
    first: Arc<dyn PlanHook>,
    changed: Arc<ChangedRules>,
    edits: Arc<Edits>,
    totals: SharedTotals,
}

impl RegatePlans {
    /// Takes the place of the installed hook.
    pub(super) fn install(
        world: &mut World,
        changed: Arc<ChangedRules>,
        edits: Arc<Edits>,
        totals: SharedTotals,
    ) {
        if let Some(InstalledPlanHook(first)) = world.remove_resource::<InstalledPlanHook>() {
            world.insert_resource(InstalledPlanHook(Arc::new(Self {
                first,
                changed,
                edits,
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
        let seq = world.resource::<InstalledLedger>().position();
        let edit = self.edits.of_plan(seq);
        let other = edit.map(|edit| answered(input, &edit.text));
        let changed = &*self.changed;
        let (story, plans) = (changed.story.as_ref(), changed.plans.as_ref());
        let judge = PlanJudge::by(world, story, &changed.characters, plans);
        let Some(after) = judge.second_opinion(plan, other.as_ref().unwrap_or(input)) else {
            return;
        };
        let [before, after] = [plan, &after].map(verdict_on);
        let found = [&before, &after].map(Findings::of_reply);
        let judged = Judged {
            seq,
            kind: RecordKind::Plan,
            npc: &plan.asked.npc,
            attempt: 0,
            line: &plan.asked.text,
        };
        let changed = compare(found, &judged);
        let judged = |verdict| JudgedReply {
            line: String::new(),
            verdict,
        };
        let edited = edit.map(|edit| EditedReply {
            key: edit.key,
            npc: plan.asked.npc.clone(),
            before: judged(before),
            after: judged(after),
        });
        let mut totals = lock(&self.totals);
        totals.add(Totals {
            turns: 1,
            changed: changed.into_iter().collect(),
            replies: edited.into_iter().collect(),
            characters: [plan.asked.npc.clone()].into(),
            ..Totals::default()
        });
    }
}

/// The same answer in other words, as one that nothing was wrong with before.
fn answered(input: &PlanInput, text: &str) -> PlanInput {
    let mut input = input.clone();
    if let PlanInput::Answered {
        reply,
        finish,
        failures,
        ..
    } = &mut input
        && reply != text
    {
        text.clone_into(reply);
        *finish = Finish::Stop;
        failures.clear();
    }
    input
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
    if failures.is_empty() && plan.status == PlanStatus::Rejected {
        // It cannot even be read.
        let rule = plan.reason.as_deref().unwrap_or_default();
        failures.push(failure(rule, "the plan is rejected".to_owned()));
    }
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
