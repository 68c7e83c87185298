//! The last words.

use crate::looks::style;
use crate::talking::talk::{Line, Who};
use bevy::prelude::*;
use bevy_egui::egui;
use std::collections::VecDeque;

/// How high the log is, in points. Older lines can be scrolled to.
const LOG_HEIGHT: f32 = 120.0;

/// The log. Returns the run of which the player wants to know why; `None`: of none.
pub(super) fn ui(ui: &mut egui::Ui, log: &VecDeque<Line>) -> Option<Entity> {
    let mut explain = None;
    egui::ScrollArea::vertical()
        .max_height(LOG_HEIGHT)
        .auto_shrink([false, true])
        .stick_to_bottom(true)
        .show(ui, |ui| {
            for (index, line) in log.iter().enumerate() {
                if line_ui(ui, index, line) {
                    explain = line.run;
                }
            }
        });
    explain
}

/// A line of the log. True: the player wants to know why it was said.
fn line_ui(ui: &mut egui::Ui, index: usize, line: &Line) -> bool {
    let (name, colour) = match &line.who {
        Who::Player => ("You: ", style::PLAYER),
        Who::Npc(name) => (name.as_str(), style::NPC),
        Who::Nobody => ("", style::NOBODY),
        Who::Narrator => ("", style::NARRATOR),
        Who::Problem => ("", style::PROBLEM),
    };
    let colon = if matches!(line.who, Who::Npc(_)) {
        ": "
    } else {
        ""
    };
    ui.push_id(index, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.colored_label(colour, format!("{name}{colon}{}", line.text));
            line.run.is_some()
                && ui
                    .link(egui::RichText::new("why?").small())
                    .on_hover_text("Shows what was asked, answered and judged.")
                    .clicked()
        })
        .inner
    })
    .inner
}
