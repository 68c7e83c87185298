//! What happens to plans, written down when it happens: the journal's hook in the plans.

use super::changes::{observe, observed_parts, row_of};
use super::resource::{InstalledLedger, Ledger, with_ledger};
use super::runs::LedgerHook;
use crate::base::canonical::Digest;
use crate::base::clock::DramatisClock;
use crate::journal::game::capture::session;
use crate::journal::game::saved_game::StateRow;
use crate::journal::record::{AttemptOutputs, BeforeAfter, PlanInputs, PlanOutputs, RecordBody};
use crate::npc::KnownNames;
use crate::pipeline::{AttemptLog, Run};
use crate::plans::event::PlanInput;
use crate::plans::hook::PlanHook;
use crate::plans::saved::SavedPlans;
use crate::plans::{Plan, PlanSettings, Plans};
use bevy::prelude::*;
use serde_json::{Value, json};

impl PlanHook for LedgerHook {
    fn before_plan(&self, world: &mut World) {
        observe(world);
        let mut ledger = world.resource_mut::<InstalledLedger>();
        ledger.turn_before = ledger.mirror.digest();
    }

    fn plan_changed(&self, world: &mut World, plan: &Plan, input: &PlanInput) {
        with_ledger(world, |world, ledger| {
            write_plan(ledger, world, plan, input);
        });
    }
}

fn write_plan(ledger: &mut Ledger, world: &mut World, plan: &Plan, input: &PlanInput) {
    let parts = observed_parts(ledger, world);
    let mut rows: Vec<StateRow> = parts.iter().map(row_of).collect();
    let known = world.resource::<KnownNames>();
    if ledger.names != known.learned() {
        // The names of introduced characters are known.
        ledger.names = known.learned();
        rows.push(StateRow::new("names", "", Some(known.all())));
    }
    let saved = SavedPlans::of(world.resource::<Plans>());
    rows.push(StateRow::new("plans", "", Some(saved)));
    let settings = world.resource::<PlanSettings>();
    let judged_by = (ledger.segment, Digest::of(&json!(settings)));
    // A profile that plans themselves have lowered is lowered in a replay, too.
    let is_known = ledger.plan_settings == Some(judged_by);
    let settings = (!is_known).then(|| settings.clone());
    ledger.plan_settings = Some(judged_by);
    let call = match input {
        PlanInput::Answered { run, .. } => call_json(world, *run),
        PlanInput::CallFailed { run: Some(run), .. } => call_json(world, *run),
        _ => None,
    };
    let body = RecordBody::Plan {
        inputs: Box::new(PlanInputs {
            plan: plan.id.to_string(),
            event: json!(input),
            settings,
            call,
        }),
        outputs: Some(Box::new(PlanOutputs {
            npc: &plan.asked.npc,
            state: plan.to_json(),
            world: BeforeAfter {
                before: ledger.turn_before,
                after: ledger.mirror.digest(),
            },
        })),
    };
    let game = world.resource::<DramatisClock>().game;
    let entry = ledger.write(game, Some(&plan.asked.npc), &body);
    entry.rows = rows;
    entry.session = Some(session(world));
}

/// The call of a run that is over, with its attempts.
fn call_json(world: &mut World, number: u64) -> Option<Value> {
    let mut runs = world.query::<(&Run, &AttemptLog)>();
    let (run, log) = runs.iter(world).find(|(run, _)| run.number() == number)?;
    let attempts: Vec<Value> = log
        .0
        .iter()
        .map(|attempt| json!(AttemptOutputs::from(attempt)))
        .collect();
    Some(json!({"stage": run.stage().snake_case(), "attempts": attempts}))
}
