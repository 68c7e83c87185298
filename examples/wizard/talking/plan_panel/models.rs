//! The models of a plan.

use crate::looks::style;
use bevy_dramatis::plans::Plan;
use bevy_egui::egui;

/// Which model made a plan, and which serves now, where that is another one.
pub(super) fn models_ui(ui: &mut egui::Ui, plan: &Plan) {
    if plan.model_now.is_none() {
        return;
    }
    for (words, model) in [("Made by", &plan.model), ("Now", &plan.model_now)] {
        if let Some(model) = model {
            let version = model.version.iter();
            let version: String = version
                .map(|version| format!(", version {version}"))
                .collect();
            let line = format!("{words}: {} of {}{version}", model.model, model.provider);
            ui.colored_label(style::NOBODY, line);
        }
    }
}
