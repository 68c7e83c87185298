//! The characters: how they move when they stay, walk, think and talk. What they look like is in `dress.rs`.

mod gaze;
mod pace;
mod pose;
mod talk;

pub use gaze::turn_to;
pub use pose::Orb;

use super::walk::WalkSystems;
use bevy::prelude::*;

/// From a character's feet to where its words appear.
pub const HEAD: Vec3 = vec3(0.0, 2.75, 0.0);

/// Adds how figures move.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (pace::measure_pace, gaze::face, pose::pose)
            .chain()
            .after(WalkSystems),
    )
    .add_plugins((talk::plugin, gaze::plugin));
}

/// A character in the scene, and the parts that move.
#[derive(Component)]
pub struct Figure {
    body: Entity,
    head: Entity,
    arms: [Entity; 2],
    /// Where it was in the frame before.
    last: Option<Vec3>,
    /// How fast it walks, from 0 to 1, smoothly.
    pace: f32,
    /// How far it has walked, for its steps.
    walked: f32,
    /// How many seconds it still talks.
    talking: f32,
    /// The figure that it looks at while it does not walk.
    looks_at: Option<Entity>,
    /// No two breathe in time.
    phase: f32,
}

impl Figure {
    /// A figure that does not move. `phase`: when it breathes.
    pub fn new(body: Entity, head: Entity, arms: [Entity; 2], phase: f32) -> Self {
        Self {
            body,
            head,
            arms,
            last: None,
            pace: 0.0,
            walked: 0.0,
            talking: 0.0,
            looks_at: None,
            phase,
        }
    }
}
