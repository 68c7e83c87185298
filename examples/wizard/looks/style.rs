//! How the game's own panels look: dark glass, warm words.

use bevy_egui::egui::{self, Color32, CornerRadius, Frame, Margin, RichText, Stroke};

/// What the player says.
pub const PLAYER: Color32 = Color32::from_rgb(150, 205, 255);
/// What a character says.
pub const NPC: Color32 = Color32::from_rgb(245, 222, 160);
/// What happens.
pub const NOBODY: Color32 = Color32::from_rgb(170, 172, 182);
/// What is told.
pub const NARRATOR: Color32 = Color32::from_rgb(205, 190, 235);
/// What does not work.
pub const PROBLEM: Color32 = Color32::from_rgb(255, 140, 120);
/// What is asked or pointed out.
pub const HINT: Color32 = Color32::from_rgb(170, 230, 180);

/// The frame of a panel over the scene.
pub fn glass() -> Frame {
    Frame::new()
        .fill(Color32::from_rgba_unmultiplied(14, 14, 24, 205))
        .stroke(Stroke::new(
            1.0,
            Color32::from_rgba_unmultiplied(235, 200, 130, 50),
        ))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::symmetric(12, 9))
}

/// A button for something that can be done, with the key that does it.
pub fn action_button(ui: &mut egui::Ui, key: Option<usize>, words: &str) -> egui::Response {
    let key = key.map(|key| format!("{key}  ")).unwrap_or_default();
    let text = RichText::new(format!("{key}{words}"))
        .size(13.0)
        .color(Color32::from_rgb(225, 225, 230));
    let button = egui::Button::new(text)
        .fill(Color32::from_rgba_unmultiplied(70, 66, 96, 190))
        .corner_radius(CornerRadius::same(6));
    ui.add(button)
}
