//! Speech bubbles: the places of the heads on the canvas, and the text over them. The page draws them, as text.

use crate::page::show;
use crate::room::{HEAD, Thing};
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How many seconds a bubble stays, and how many more for each of its characters.
const LASTS: (f32, f32) = (6.0, 0.05);

pub fn plugin(app: &mut App) {
    app.init_resource::<Bubbles>()
        .add_systems(PostUpdate, draw.after(TransformSystems::Propagate))
        .add_observer(hear_sentence)
        .add_observer(hear_line)
        .add_observer(|thinks: On<ThinkingLine>, mut bubbles: ResMut<Bubbles>| {
            bubbles.hang(thinks.npc.as_str(), &thinks.line);
        })
        .add_observer(|_: On<GameLoaded>, mut bubbles: ResMut<Bubbles>| bubbles.hanging.clear());
}

#[derive(Resource, Default)]
struct Bubbles {
    /// Words by the id of their speaker, and the seconds that they stay.
    hanging: BTreeMap<String, (String, f32)>,
    /// The bubbles that the page shows.
    shown: Value,
}

impl Bubbles {
    fn hang(&mut self, id: &str, words: &str) {
        let lasts = LASTS.0 + LASTS.1 * words.chars().count() as f32;
        let bubble = (words.to_owned(), lasts);
        self.hanging.insert(id.to_owned(), bubble);
    }
}

/// The bubble grows with each sentence.
fn hear_sentence(spoke: On<SpokeSentence>, mut bubbles: ResMut<Bubbles>) {
    let id = spoke.npc.as_str();
    let before = bubbles.hanging.get(id).filter(|_| spoke.index > 0);
    let words = before.map_or(spoke.sentence.clone(), |(before, _)| {
        format!("{before} {}", spoke.sentence)
    });
    bubbles.hang(id, &words);
}

fn hear_line(spoke: On<Spoke>, mut bubbles: ResMut<Bubbles>) {
    if !spoke.line.is_empty() {
        bubbles.hang(spoke.npc.as_str(), &spoke.line);
    }
}

fn draw(
    mut bubbles: ResMut<Bubbles>,
    time: Res<Time>,
    things: Query<(&Thing, &GlobalTransform)>,
    thinkers: Query<&WorldId, With<Thinking>>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    let (camera, eye) = *camera;
    bubbles.hanging.retain(|_, (_, lasts)| {
        *lasts -= time.delta_secs();
        *lasts > 0.0
    });
    let size = camera.logical_viewport_size().unwrap_or(Vec2::ONE);
    let mut drawn = Map::new();
    for (thing, place) in &things {
        let thinks = thinkers.iter().any(|id| id.0 == thing.0);
        let words = match bubbles.hanging.get(thing.0) {
            Some((words, _)) => words,
            None if thinks => "...",
            None => continue,
        };
        // In thousandths of the canvas: the page decides on its size.
        if let Ok(point) = camera.world_to_viewport(eye, place.translation() + HEAD) {
            let [x, y] = (point / size * 1000.0).round().to_array();
            drawn.insert(thing.0.to_owned(), json!({"words": words, "x": x, "y": y}));
        }
    }
    let drawn = Value::Object(drawn);
    if bubbles.shown != drawn {
        show("bubbles", drawn.clone());
        bubbles.shown = drawn;
    }
}
