//! The steps of a plan take their time: after each, the plan is held for a while.

use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// How long the wizard takes for each step of a plan, in seconds.
const STEP_SECONDS: f32 = 1.5;

/// Adds the pauses.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<StepPause>()
        .add_systems(Update, end_pause)
        .add_observer(take_time);
}

/// The plan whose step the wizard is busy with, and for how many seconds yet. `None`: he is not.
#[derive(Resource, Default)]
struct StepPause(Option<(PlanId, f32)>);

/// A step takes its time: the plan is held until it is over.
fn take_time(
    done: On<StepDone>,
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    plans: Res<Plans>,
) {
    // After the last step there is nothing to hold.
    if plans
        .get(done.plan)
        .is_none_or(|plan| plan.status.is_over())
    {
        return;
    }
    pause.0 = Some((done.plan, STEP_SECONDS));
    commands.hold_plan(done.plan, true);
}

fn end_pause(
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    time: Res<Time>,
    plans: Res<Plans>,
) {
    let Some((plan, left)) = &mut pause.0 else {
        return;
    };
    *left -= time.delta_secs();
    if *left <= 0.0 {
        // It may be over: then there is nothing to hold.
        if plans.get(*plan).is_some_and(|plan| !plan.status.is_over()) {
            commands.hold_plan(*plan, false);
        }
        pause.0 = None;
    }
}
