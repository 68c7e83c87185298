//! What was retrieved from a mind, with the parts of each score.

use super::theme::NOTED;
use super::widgets::part;
use crate::base::fixed::Millionths;
use crate::memory::retrieval::Retrieved;
use bevy_egui::egui::{self, Label, ProgressBar, RichText, Ui};

/// Draws it, best first.
pub(super) fn scores_ui(ui: &mut Ui, retrieved: &Retrieved) {
    egui::Grid::new("scores")
        .num_columns(5)
        .striped(true)
        .show(ui, |ui| {
            for heading in ["score", "recency", "relevance", "signif.", "episode"] {
                ui.weak(heading);
            }
            ui.end_row();
            for episode in &retrieved.episodes {
                let parts = episode.parts;
                bar(ui, parts.score);
                ui.monospace(part(parts.recency));
                ui.monospace(part(parts.relevance));
                ui.monospace(part(parts.significance));
                ui.add(Label::new(&episode.text).wrap())
                    .on_hover_text(&episode.id);
                ui.end_row();
            }
            for belief in &retrieved.beliefs {
                bar(ui, belief.parts.score);
                ui.monospace(part(belief.parts.recency));
                ui.monospace(part(belief.parts.relevance));
                ui.monospace(part(belief.parts.confidence));
                let text = RichText::new(format!("belief: {}", belief.text));
                let text = if belief.contradicts_canon {
                    text.color(NOTED)
                } else {
                    text
                };
                ui.add(Label::new(text).wrap())
                    .on_hover_text(belief.id.as_str());
                ui.end_row();
            }
        });
    let more = retrieved.more_episodes + retrieved.more_beliefs;
    if more > 0 {
        ui.weak(format!("{more} more scored lower"));
    }
}

fn bar(ui: &mut Ui, value: Millionths) {
    let fraction = value.to_f64() as f32;
    ui.add(
        ProgressBar::new(fraction)
            .desired_width(60.0)
            .text(part(value)),
    );
}
