//! The steps of a plan, and its risk.

use crate::looks::style;
use crate::words::Names;
use bevy_dramatis::plans::{Plan, PlanStatus, PlanStep, Risk};
use bevy_dramatis::world::ReasonCode;
use bevy_egui::egui;

/// Draws what he would do, and how risky that is.
pub(super) fn steps_ui(ui: &mut egui::Ui, plan: &Plan, names: &Names) {
    let next = plan.next_step().map(|step| &step.id);
    for (number, step) in (1..).zip(&plan.steps) {
        let is_next = plan.status == PlanStatus::Running && next == Some(&step.id);
        step_ui(ui, number, step, is_next, names);
    }
    if let Some(risk) = &plan.risk {
        ui.horizontal(|ui| {
            ui.colored_label(style::NOBODY, "Risk");
            let share = risk.points as f32 / Risk::MAX as f32;
            let words = format!("{} of {}", risk.points, Risk::MAX);
            let bar = egui::ProgressBar::new(share).desired_width(140.0);
            ui.add(bar.text(words));
        });
    }
}

fn step_ui(ui: &mut egui::Ui, number: usize, step: &PlanStep, is_next: bool, names: &Names) {
    let colour = match step.result {
        Some(ReasonCode::Ok) => style::HINT,
        Some(_) => style::PROBLEM,
        None if is_next => style::NPC,
        None => egui::Color32::from_gray(215),
    };
    let what = names.action(&step.intent);
    ui.colored_label(colour, format!("{number}. {what}"));
    if !step.why.is_empty() {
        let why = egui::RichText::new(&step.why).small().color(style::NOBODY);
        ui.add(egui::Label::new(why).wrap());
    }
    if let Some(message) = &step.message {
        ui.colored_label(style::PROBLEM, message);
    }
}
