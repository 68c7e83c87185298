//! The wizard's plan, plainly: what he would do, step by step, how risky it is, why he asks, and the question. The inspector
//! shows the same plan with every check, factor and gate.

mod models;
mod notes;
mod question;
mod steps;
mod whys;

use crate::looks::style::glass;
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::inspector::PlanAnswer;
use bevy_dramatis::plans::PlanStatus;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_plugins(notes::plugin)
        .add_systems(EguiPrimaryContextPass, panel)
        .add_systems(Update, answer);
}

/// The panel shows the newest plan that waits for an answer, else the newest one.
#[derive(Resource, Default)]
struct Shown {
    /// How many seconds it is still shown, once the plan is over.
    left: f32,
    /// What was clicked and not yet done.
    answer: Option<PlanAnswer>,
    /// The plan that the player does not want to replace with another one.
    dismissed: Option<PlanId>,
}

fn panel(
    mut contexts: EguiContexts,
    plans: Res<Plans>,
    names: Names,
    mut shown: ResMut<Shown>,
) -> Result {
    let waits = plans.iter().rfind(|plan| plan.status.is_waiting());
    let Some(plan) = waits.or_else(|| plans.iter().next_back()) else {
        return Ok(());
    };
    let waits_for_another = plan.asks_for_another() && shown.dismissed != Some(plan.id);
    let is_past = plan.status.is_over() && shown.left <= 0.0 && !waits_for_another;
    if plan.status == PlanStatus::Planning || is_past {
        return Ok(());
    }
    egui::Window::new("Eldrin's plan")
        .default_pos([920.0, 20.0])
        .default_width(330.0)
        .collapsible(false)
        .frame(glass())
        .show(contexts.ctx_mut()?, |ui| {
            shown.answer = question::plan_ui(ui, plan, &names).or(shown.answer);
            if waits_for_another {
                match question::another_ui(ui, plan) {
                    Some(true) => shown.answer = Some(PlanAnswer::Another(plan.id)),
                    Some(false) => {
                        shown.dismissed = Some(plan.id);
                        shown.left = 0.0;
                    }
                    None => {}
                }
            }
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
