//! Where there is room for a bubble.

use bevy_egui::egui;

/// How far bubbles are apart, one over the other. The tip of the upper one has room there.
const APART: f32 = 12.0;

/// Where the middle of a bubble's lower edge goes: over the head, and above the bubbles that hang there already.
pub(super) fn free_place(
    head: egui::Pos2,
    size: egui::Vec2,
    window: egui::Rect,
    hanging: &[egui::Rect],
) -> egui::Pos2 {
    let mut at = head - egui::vec2(0.0, 10.0);
    for _ in hanging {
        let min = egui::pos2(at.x - size.x / 2.0, at.y - size.y);
        let left = min
            .x
            .clamp(window.left(), (window.right() - size.x).max(window.left()));
        let rect = egui::Rect::from_min_size(egui::pos2(left, min.y), size);
        match hanging.iter().find(|other| other.intersects(rect)) {
            Some(other) => at.y = other.top() - APART,
            None => break,
        }
    }
    at
}
