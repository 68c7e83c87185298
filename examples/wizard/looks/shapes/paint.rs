//! What a shape can be painted with.

use bevy::prelude::*;

/// What a shape looks like.
#[derive(Clone, Copy)]
pub enum Paint {
    Plain(Color),
    /// It shines by itself. The number says how many times brighter than its colour.
    Glow(Color, f32),
    /// A texture in a tint, with the number of repetitions across and up each face.
    Textured(Texture, Vec2, Color),
    /// One can see through it.
    Glass(Color),
}

/// The textures of `textures.rs`.
#[derive(Clone, Copy)]
pub enum Texture {
    Stone,
    Planks,
    Grass,
    Rug,
}

impl From<Color> for Paint {
    fn from(colour: Color) -> Self {
        Self::Plain(colour)
    }
}

pub const STONE: Color = Color::srgb(0.60, 0.61, 0.66);
pub const WOOD: Color = Color::srgb(0.48, 0.30, 0.17);
pub const DARK_WOOD: Color = Color::srgb(0.28, 0.17, 0.10);
pub const BRASS: Color = Color::srgb(0.95, 0.72, 0.22);
pub const IRON: Color = Color::srgb(0.50, 0.52, 0.58);
pub const DARK_IRON: Color = Color::srgb(0.16, 0.16, 0.18);
pub const WAX: Color = Color::srgb(0.88, 0.86, 0.80);
pub const FIRE: Color = Color::srgb(1.0, 0.55, 0.16);
pub const MOON: Color = Color::srgb(0.80, 0.87, 1.0);
pub const LEAF: Color = Color::srgb(0.20, 0.36, 0.20);

/// Stone blocks, with the number of repetitions across and up each face.
pub fn stone(across: f32, up: f32) -> Paint {
    Paint::Textured(Texture::Stone, vec2(across, up), STONE)
}

/// Wooden planks.
pub fn planks(across: f32, up: f32) -> Paint {
    Paint::Textured(Texture::Planks, vec2(across, up), Color::WHITE)
}
