//! The question whether he may, and whether he makes another plan.

use super::models::models_ui;
use super::notes::in_words;
use super::steps::steps_ui;
use super::whys::whys_ui;
use crate::looks::style::{self, action_button};
use crate::words::Names;
use bevy_dramatis::inspector::PlanAnswer;
use bevy_dramatis::plans::{Plan, PlanStatus};
use bevy_egui::egui;

/// Draws a plan. What was clicked; `None`: nothing.
pub(super) fn plan_ui(ui: &mut egui::Ui, plan: &Plan, names: &Names) -> Option<PlanAnswer> {
    ui.colored_label(style::PLAYER, format!("You: {}", plan.text()));
    if plan.steps.is_empty()
        && let Some(wish) = plan.understood()
    {
        ui.colored_label(style::NPC, format!("He understands: {wish}"));
    }
    steps_ui(ui, plan, names);
    if !plan.status.is_waiting() {
        ui.colored_label(style::NPC, format!("{}.", in_words(plan.status)));
        return None;
    }
    models_ui(ui, plan);
    whys_ui(ui, plan);
    ui.colored_label(
        style::HINT,
        match plan.status {
            PlanStatus::Asking => "Is this what you meant?",
            _ => "May he?",
        },
    );
    buttons(
        ui,
        [
            ("Yes", PlanAnswer::Approve(plan.id)),
            ("No", PlanAnswer::Deny(plan.id)),
            ("Another plan", PlanAnswer::Another(plan.id)),
        ],
    )
}

/// Asks whether another plan is made. `None`: nothing was clicked.
pub(super) fn another_ui(ui: &mut egui::Ui, plan: &Plan) -> Option<bool> {
    models_ui(ui, plan);
    buttons(ui, [("Another plan", true), ("Cancel", false)])
}

/// A row of buttons. What was clicked; `None`: nothing.
fn buttons<T, const N: usize>(ui: &mut egui::Ui, choices: [(&str, T); N]) -> Option<T> {
    let mut answer = None;
    ui.horizontal(|ui| {
        for (words, chosen) in choices {
            if action_button(ui, None, words).clicked() {
                answer = Some(chosen);
            }
        }
    });
    answer
}
