//! Speech bubbles: the words as they come, over the head of the speaker; dots while a character thinks.

use crate::scene::{GameCamera, HEAD};
use crate::talk::{Bubble, Talk};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// How wide a bubble is, at most.
const WIDE: f32 = 290.0;
/// How far bubbles are apart, one over the other. The tip of the upper one has room there.
const APART: f32 = 12.0;
const PAPER: (u8, u8, u8) = (252, 247, 232);
const INK: (u8, u8, u8) = (44, 34, 26);

/// Adds the bubbles.
pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, bubbles);
}

fn bubbles(
    mut contexts: EguiContexts,
    talk: Res<Talk>,
    heads: Query<(Entity, &GlobalTransform, Has<Thinking>), With<LoadedCharacter>>,
    camera: Single<(&Camera, &GlobalTransform), With<GameCamera>>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let (camera, eye) = *camera;
    let mut hanging = Vec::new();
    for (entity, place, thinks) in &heads {
        let bubble = talk.bubbles.get(&entity);
        let (words, strength) = match bubble {
            Some(bubble) => (bubble.shown(), bubble.strength()),
            None if thinks => ("...", 1.0),
            None => continue,
        };
        // A speaker behind the camera has no place to draw a bubble.
        let Ok(point) = camera.world_to_viewport(eye, place.translation() + HEAD) else {
            continue;
        };
        let id = egui::Id::new(("bubble", entity));
        let tip = egui::pos2(point.x, point.y);
        // As large as it was in the frame before.
        let size = ctx.memory(|memory| memory.area_rect(id));
        let size = size.map_or(egui::Vec2::ZERO, |rect| rect.size());
        let at = free_place(tip, size, ctx.content_rect(), &hanging);
        let rect = bubble_ui(ctx, id, words, bubble, (tip.x, at), strength);
        hanging.push(rect);
    }
    Ok(())
}

/// Where the middle of a bubble's lower edge goes: over the head, and above the bubbles that hang there already.
fn free_place(
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

/// Draws a bubble. Its tip is at `speaker`, from the left of the window; its lower edge at `at`. Where it has come to lie.
fn bubble_ui(
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
            .show(ui, |ui| {
                ui.set_max_width(WIDE);
                let text = |words: &str| egui::RichText::new(words).size(16.0);
                match whole {
                    // The bubble has its size from the start, and its words come.
                    Some(bubble) => {
                        let font = egui::FontId::proportional(16.0);
                        let size = ui
                            .painter()
                            .layout(bubble.words.clone(), font, faded(INK), WIDE)
                            .size();
                        ui.allocate_ui(size, |ui| {
                            ui.set_min_size(size);
                            ui.label(text(words).color(faded(INK)));
                        });
                    }
                    None => {
                        ui.label(text(words).color(faded(INK)));
                    }
                }
            });
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
