//! What the wizard plans. The traveller says yes to it.

use super::VisitLog;
use crate::cast;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Placement;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(
        |question: On<PlanQuestion>, plans: Res<Plans>, mut commands: Commands| {
            if !question.status.is_waiting() {
                return;
            }
            for step in plans.get(question.plan).iter().flat_map(|plan| &plan.steps) {
                println!("  ? {}", step.why);
            }
            println!("You: Do it.");
            commands.approve_plan(question.plan);
        },
    )
    .add_observer(
        |_: On<StepDone>, mut seen: ResMut<VisitLog>, mut writes: GameWrites| {
            if let Some(thing) = seen.taken_away.take() {
                println!("(Somebody takes it away.)");
                writes.place(thing, Placement::CarriedBy(id!(cast::PLAYER)));
            }
        },
    )
    .add_observer(
        |ended: On<PlanEnded>, plans: Res<Plans>, mut seen: ResMut<VisitLog>| {
            let steps = plans.get(ended.plan).map(|plan| &plan.steps);
            let why = steps.and_then(|steps| steps.iter().find_map(|step| step.message.clone()));
            let reason = why.map(|reason| format!(" ({reason})"));
            println!(
                "  = the plan: {}{}",
                ended.status.name(),
                reason.unwrap_or_default()
            );
            seen.plans_ended += 1;
        },
    );
}
