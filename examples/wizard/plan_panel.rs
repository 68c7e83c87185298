//! The wizard's plan, plainly: its steps, risk and quality with their parts, what the gates say, and the question.

use crate::talk::{Talk, Who};
use bevy::prelude::*;
use bevy_dramatis::inspector::{PlanAnswer, plan_ui};
use bevy_dramatis::plans::PlanStatus;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// For how long a plan that is over is shown, in seconds.
const LINGER: f32 = 10.0;

/// Adds the panel.
pub fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(EguiPrimaryContextPass, panel)
        .add_systems(Update, answer)
        .add_observer(|question: On<PlanQuestion>, mut talk: ResMut<Talk>| {
            if question.status == PlanStatus::Pending {
                talk.note(Who::Nobody, "Eldrin has a plan, and asks whether he may.");
            }
        })
        .add_observer(
            |done: On<StepDone>, plans: Res<Plans>, mut talk: ResMut<Talk>| {
                let plan = plans.get(done.plan);
                let step =
                    plan.and_then(|plan| plan.steps.iter().find(|step| step.id == done.step));
                if let Some(step) = step {
                    talk.note(Who::Nobody, &format!("Eldrin at work: {}", step.why));
                }
            },
        )
        .add_observer(ended);
}

/// The panel shows the newest plan.
#[derive(Resource, Default)]
struct Shown {
    /// For how many seconds yet, once the plan is over.
    left: f32,
    /// What was clicked and not yet done.
    answer: Option<PlanAnswer>,
}

fn ended(
    ended: On<PlanEnded>,
    plans: Res<Plans>,
    mut shown: ResMut<Shown>,
    mut talk: ResMut<Talk>,
) {
    shown.left = LINGER;
    // What the rulebook said of the step that failed. The panel shows the rest.
    let steps = plans.get(ended.plan).map(|plan| &plan.steps);
    let why = steps.and_then(|steps| steps.iter().find_map(|step| step.message.as_deref()));
    let line = match why {
        Some(why) => format!("{}: {why}.", in_words(ended.status)),
        None => format!("{}.", in_words(ended.status)),
    };
    talk.note(Who::Nobody, &line);
}

/// How a plan has ended.
fn in_words(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Done => "It is done",
        PlanStatus::RolledBack => "Eldrin stops and puts everything back",
        PlanStatus::Denied => "The plan may not be carried out",
        PlanStatus::Rejected => "Eldrin knows no plan for that",
        PlanStatus::Expired => "The plan waited too long: things are no longer as they were",
        PlanStatus::Blocked => "The plan was made by another model, and is dropped",
        _ => "Nothing comes of the plan",
    }
}

fn panel(mut contexts: EguiContexts, plans: Res<Plans>, mut shown: ResMut<Shown>) -> Result {
    let Some(plan) = plans.iter().next_back() else {
        return Ok(());
    };
    if plan.status == PlanStatus::Planning || (plan.status.is_over() && shown.left <= 0.0) {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    egui::Window::new("Eldrin's plan")
        .default_pos([830.0, 20.0])
        .default_width(430.0)
        .collapsible(false)
        .show(ctx, |ui| {
            shown.answer = plan_ui(ui, plan).or(shown.answer);
        });
    Ok(())
}

fn answer(mut shown: ResMut<Shown>, mut commands: Commands, time: Res<Time>) {
    shown.left -= time.delta_secs();
    match shown.answer.take() {
        None => {}
        Some(PlanAnswer::Approve(plan)) => commands.approve_plan(plan),
        Some(PlanAnswer::Deny(plan)) => commands.deny_plan(plan),
        Some(PlanAnswer::Another(plan)) => commands.regenerate_plan(plan),
    }
}
