//! Speech bubbles: the words as they come, over the head of the speaker; dots while a character thinks.

mod draw;
mod place;

use super::camera::GameCamera;
use super::figures::HEAD;
use crate::talking::Talk;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use draw::bubble_ui;
use place::free_place;

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
