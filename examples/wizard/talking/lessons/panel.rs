//! How a lesson is shown.

use super::{LESSONS, Lessons};
use crate::looks::style::{self, glass};
use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorSettings;
use bevy_egui::{EguiContexts, egui};

/// How long it is quiet before a lesson, in seconds.
const QUIET: f32 = 2.0;

pub(super) fn show(
    mut contexts: EguiContexts,
    mut lessons: ResMut<Lessons>,
    inspector: Res<InspectorSettings>,
) -> Result {
    let Some((words, _)) = LESSONS.get(lessons.next).filter(|_| lessons.quiet > QUIET) else {
        return Ok(());
    };
    // The inspector lies over the right half.
    let (place, offset, wide) = match inspector.open {
        true => (egui::Align2::LEFT_TOP, [14.0, 16.0], 560.0),
        false => (egui::Align2::CENTER_TOP, [0.0, 16.0], 1_000.0),
    };
    egui::Window::new("lesson")
        .title_bar(false)
        .resizable(false)
        .frame(glass())
        .anchor(place, offset)
        .show(contexts.ctx_mut()?, |ui| {
            ui.horizontal(|ui| {
                let words = egui::RichText::new(*words).size(16.0).color(style::HINT);
                ui.set_max_width(wide);
                ui.add(egui::Label::new(words).wrap());
                lessons.is_skipped |= ui.small_button("x").on_hover_text("Skip this").clicked();
            });
        });
    Ok(())
}
