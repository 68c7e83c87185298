//! What it looks like. Nothing here decides anything: shapes follow the judged world, with every place and every attribute of
//! its things.
//!
//! | file | what it holds |
//! |---|---|
//! | `bubbles.rs`, `style.rs` | the speech bubbles; the colours of the panels |
//! | `tower.rs`, `furniture.rs`, `yard.rs`, `sky.rs` | what never moves: the room, what is in it, and all that is outside |
//! | `things.rs` | what the story has: door, chest, keys, herbs, cauldron |
//! | `dress.rs`, `figures.rs` | the characters: what they wear, and how they move |
//! | `walk.rs`, `ways.rs`, `floor.rs` | walking, the way around obstacles, and where there is room for a figure |
//! | `camera.rs`, `quality.rs` | how it is seen, and how much that may cost |
//! | `effects.rs` | fire, bubbles, rain |
//! | `shapes.rs`, `textures.rs` | what all of it is made of |

mod bubbles;
mod camera;
mod dress;
mod effects;
mod figures;
mod floor;
mod furniture;
mod quality;
mod shapes;
mod sky;
pub mod style;
mod textures;
mod things;
mod tower;
mod walk;
mod ways;
mod yard;

pub use quality::Quality;
pub use walk::Steered;

use bevy::light::GlobalAmbientLight;
use bevy::prelude::*;
use textures::Textures;

/// Adds the scene and the bubbles.
pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb_u8(12, 15, 30)))
        .insert_resource(GlobalAmbientLight {
            color: Color::srgb_u8(140, 155, 215),
            brightness: 130.0,
            ..default()
        })
        .init_resource::<Textures>()
        .add_plugins((
            bubbles::plugin,
            camera::plugin,
            effects::plugin,
            figures::plugin,
            quality::plugin,
            things::plugin,
            walk::plugin,
        ))
        .add_systems(
            Startup,
            (
                tower::build,
                tower::hook::hang_hook,
                furniture::build,
                yard::build,
                sky::build,
            ),
        );
}
