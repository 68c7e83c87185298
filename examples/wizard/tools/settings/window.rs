//! The window of the settings.

use super::Settings;
use super::apply::Wish;
use super::choices::{DELIVERIES, FORMS, PROFILES, QUALITIES};
use super::choose::choose;
use super::engine_ui::{engine_ui, status};
use super::limits::{BUDGETS, CALLS};
use crate::looks::Quality;
use crate::problems::Server;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_dramatis::engine::DefaultEngine;
use bevy_dramatis::npc::NpcBudget;
use bevy_dramatis::pipeline::{DialoguePolicy, EngineStatuses, PromptBudget};
use bevy_dramatis::plans::PlanSettings;
use bevy_egui::{EguiContexts, egui};

/// How things are now.
#[derive(SystemParam)]
pub(super) struct Now<'w, 's> {
    pub(super) engine: Res<'w, DefaultEngine>,
    pub(super) statuses: Res<'w, EngineStatuses>,
    pub(super) server: Res<'w, Server>,
    budget: Res<'w, PromptBudget>,
    calls: Query<'w, 's, &'static NpcBudget>,
    plans: Res<'w, PlanSettings>,
    policy: Res<'w, DialoguePolicy>,
    quality: Res<'w, Quality>,
}

pub(super) fn window(
    mut contexts: EguiContexts,
    mut settings: ResMut<Settings>,
    now: Now,
) -> Result {
    let mut open = true;
    egui::Window::new("Settings")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .default_pos([20.0, 20.0])
        .default_width(420.0)
        .show(contexts.ctx_mut()?, |ui| {
            engine_ui(ui, &mut settings);
            ui.label(status(&now));
            ui.separator();
            let calls = now.calls.iter().next();
            let calls = calls.and_then(|budget| budget.0.calls);
            let profile = now.plans.profile_in_force();
            let (delivery, form) = (now.policy.0.delivery, now.policy.0.form);
            let wish = [
                choose(ui, "Room for memories", *now.budget, &BUDGETS).map(Wish::Budget),
                choose(ui, "Calls in a minute", calls, &CALLS).map(Wish::Calls),
                choose(ui, "Plans", profile, &PROFILES).map(Wish::Profile),
                choose(ui, "Speech", delivery, &DELIVERIES).map(Wish::Delivery),
                choose(ui, "Answers", form, &FORMS).map(Wish::Form),
                choose(ui, "Picture", *now.quality, &QUALITIES).map(Wish::Quality),
            ];
            settings.wish = wish.into_iter().flatten().next().or(settings.wish);
            if let Some(problem) = &settings.problem {
                ui.colored_label(egui::Color32::LIGHT_RED, problem);
            }
        });
    settings.open = open;
    Ok(())
}
