//! How a bubble is drawn.

use crate::talking::Bubble;
use bevy_egui::egui;

/// How wide a bubble is, at most.
const WIDE: f32 = 290.0;
const PAPER: (u8, u8, u8) = (252, 247, 232);
const INK: (u8, u8, u8) = (44, 34, 26);

/// Draws a bubble. Its tip is at `speaker`, from the left of the window; its lower edge at `at`. Where it has come to lie.
pub(super) fn bubble_ui(
    ctx: &egui::Context,
    id: egui::Id,
    words: &str,
    whole: Option<&Bubble>,
    (speaker, at): (f32, egui::Pos2),
    strength: f32,
) -> egui::Rect {
    let faded = |(r, g, b): (u8, u8, u8)| {
        egui::Color32::from_rgba_unmultiplied(r, g, b, (strength * 245.0) as u8)
    };
    let area = egui::Area::new(id)
        .fixed_pos(at)
        .pivot(egui::Align2::CENTER_BOTTOM)
        .constrain(true)
        .order(egui::Order::Background)
        .interactable(false);
    let drawn = area.show(ctx, |ui| {
        egui::Frame::new()
            .fill(faded(PAPER))
            .corner_radius(12)
            .inner_margin(egui::Margin::symmetric(14, 9))
            .show(ui, |ui| words_ui(ui, words, whole, faded(INK)));
    });
    // The tip points at the speaker, where the bubble is above them.
    let rect = drawn.response.rect;
    if !rect.shrink(16.0).x_range().contains(speaker) {
        return rect;
    }
    let bottom = rect.bottom() - 0.5;
    let corners = [(-9.0, 0.0), (9.0, 0.0), (0.0, 11.0)];
    let corners = corners
        .map(|(x, y)| egui::pos2(speaker + x, bottom + y))
        .to_vec();
    let tail = egui::Shape::convex_polygon(corners, faded(PAPER), egui::Stroke::NONE);
    ctx.layer_painter(drawn.response.layer_id).add(tail);
    rect
}

/// The words of a bubble that has its size from the start, and whose words come; or of one without words of its own.
fn words_ui(ui: &mut egui::Ui, words: &str, whole: Option<&Bubble>, ink: egui::Color32) {
    ui.set_max_width(WIDE);
    let text = egui::RichText::new(words).size(16.0).color(ink);
    let Some(bubble) = whole else {
        ui.label(text);
        return;
    };
    let font = egui::FontId::proportional(16.0);
    let size = ui
        .painter()
        .layout(bubble.words.clone(), font, ink, WIDE)
        .size();
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        ui.label(text);
    });
}
