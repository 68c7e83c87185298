//! Plans: what waits for an answer, with its buttons, and what was decided on.

use super::theme::{BAD, GOOD, LIVE, NOTED};
use crate::plans::{Plan, PlanId, PlanStatus, Plans, explain};
use bevy_egui::egui::{Color32, Id as EguiId, RichText, ScrollArea, Ui};

/// The most plans that are shown.
const MOST: usize = 32;

/// The user's answer to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanAnswer {
    /// Yes.
    Approve(PlanId),
    /// No.
    Deny(PlanId),
    /// Another plan for the same wish.
    Another(PlanId),
}

/// Draws all plans, the newest first. What was clicked; `None`: nothing.
pub fn plans_ui(ui: &mut Ui, plans: &Plans) -> Option<PlanAnswer> {
    let mut answer = None;
    if plans.iter().next().is_none() {
        ui.weak("Nobody has asked for a plan yet.");
    }
    ScrollArea::vertical()
        .id_salt("plans")
        .auto_shrink(false)
        .show(ui, |ui| {
            for plan in plans.iter().rev().take(MOST) {
                answer = plan_ui(ui, plan).or(answer);
                ui.separator();
            }
        });
    answer
}

/// Draws one plan: its steps, its risk and quality with their parts, its gates, and the buttons where the player is asked.
pub fn plan_ui(ui: &mut Ui, plan: &Plan) -> Option<PlanAnswer> {
    let told = explain(&plan.to_json());
    let mut lines = told.lines();
    ui.label(RichText::new(lines.next().unwrap_or_default()).strong());
    for line in lines {
        let (what, rest) = line.split_once("  ").unwrap_or(("", line));
        let colour = match what {
            "status" => status_colour(plan.status),
            "failed check" => BAD,
            "gate" | "decision" => answer_colour(rest),
            _ => Color32::LIGHT_GRAY,
        };
        ui.horizontal_wrapped(|ui| {
            ui.weak(what);
            ui.colored_label(colour, rest);
        });
    }
    if plan.asks_for_another() {
        return another_ui(ui, plan);
    }
    if !plan.status.is_waiting() {
        return None;
    }
    let question = match plan.status {
        PlanStatus::Asking => "Is this what was meant?",
        _ if plan.model_now.is_some() => {
            "The version of the model has changed. May it be carried out?"
        }
        _ => "May it be carried out?",
    };
    let mut answer = None;
    ui.horizontal(|ui| {
        ui.label(question);
        for (words, chosen) in [
            ("Yes", PlanAnswer::Approve(plan.id)),
            ("No", PlanAnswer::Deny(plan.id)),
            ("Another plan", PlanAnswer::Another(plan.id)),
        ] {
            if ui.button(words).clicked() {
                answer = Some(chosen);
            }
        }
    });
    answer
}

/// Asks whether another plan is made in the place of one that another model made, or that no model could make. The question
/// goes when it is answered.
fn another_ui(ui: &mut Ui, plan: &Plan) -> Option<PlanAnswer> {
    let answered = EguiId::new(("another plan", plan.id.0));
    if ui.data(|data| data.get_temp(answered).unwrap_or(false)) {
        return None;
    }
    let question = match plan.status {
        PlanStatus::Blocked => "Another model serves now.",
        _ => "The model could not be reached.",
    };
    let mut answer = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(question);
        let again = ui.button("Another plan").clicked();
        if again {
            answer = Some(PlanAnswer::Another(plan.id));
        }
        if again || ui.button("Cancel").clicked() {
            ui.data_mut(|data| data.insert_temp(answered, true));
        }
    });
    answer
}

/// The colour of what a gate says.
fn answer_colour(says: &str) -> Color32 {
    let is = |answer: &str| says.split([' ', ':']).any(|word| word == answer);
    match () {
        () if is("DENY") => BAD,
        () if is("CONFIRM") => NOTED,
        () if is("ALLOW") => GOOD,
        () => Color32::LIGHT_GRAY,
    }
}

fn status_colour(status: PlanStatus) -> Color32 {
    match status {
        PlanStatus::Done => GOOD,
        PlanStatus::Asking | PlanStatus::Pending => NOTED,
        PlanStatus::Planning | PlanStatus::Ready | PlanStatus::Running => LIVE,
        _ => BAD,
    }
}
