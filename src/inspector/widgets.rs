//! Small things that several parts of the window draw.

use super::marked::{BAD, GOOD, NOTED};
use super::view::RunView;
use crate::base::fixed::Millionths;
use crate::pipeline::Outcome;
use bevy_egui::egui::{self, Color32, RichText, Ui};

/// The colour of how a run stands: green for accepted, yellow for a fallback, red for rejected and failed, grey for
/// cancelled, light blue while it goes on.
#[must_use]
pub fn outcome_colour(view: &RunView) -> Color32 {
    match view.outcome {
        Some(Outcome::Accepted { .. }) => GOOD,
        Some(Outcome::Fallback { .. }) => NOTED,
        Some(Outcome::Cancelled) => Color32::GRAY,
        Some(Outcome::Rejected | Outcome::Failed) => BAD,
        None => Color32::LIGHT_BLUE,
    }
}

/// Names with their values.
pub(super) fn table(ui: &mut Ui, id: &str, rows: &[(&str, String)]) {
    egui::Grid::new(id).num_columns(2).show(ui, |ui| {
        for (name, value) in rows {
            ui.weak(*name);
            ui.add(egui::Label::new(RichText::new(value)).wrap());
            ui.end_row();
        }
    });
}

/// A fraction with two places.
pub(super) fn part(value: Millionths) -> String {
    format!("{:.2}", value.to_f64())
}

/// What stands where a component has left nothing yet.
pub(super) fn missing(ui: &mut Ui) {
    ui.weak("Not there yet.");
}

/// Texts beside each other, which go on in the next line where there is no room.
///
/// Empty ones are left out: egui would take one for the beginning of a line, and draw the next text over what stands there.
pub(super) fn line(ui: &mut Ui, texts: impl IntoIterator<Item = RichText>) {
    ui.horizontal_wrapped(|ui| {
        for text in texts {
            if !text.is_empty() {
                ui.label(text);
            }
        }
    });
}
