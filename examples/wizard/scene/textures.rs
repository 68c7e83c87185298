//! Textures, made pixel by pixel when the game starts: there is nothing to download.

use super::shapes::Texture;
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

/// How many pixels a texture has on a side.
const SIDE: usize = 256;

/// The textures of the scene.
#[derive(Resource)]
pub struct Textures {
    stone: Handle<Image>,
    planks: Handle<Image>,
    grass: Handle<Image>,
    rug: Handle<Image>,
    pub sky: Handle<Image>,
}

impl FromWorld for Textures {
    fn from_world(world: &mut World) -> Self {
        let mut images = world.resource_mut::<Assets<Image>>();
        let mut add = |paint: fn(usize, usize) -> Vec3| images.add(image(paint));
        Self {
            stone: add(stone),
            planks: add(planks),
            grass: add(grass),
            rug: add(rug),
            sky: add(sky),
        }
    }
}

impl Textures {
    pub fn get(&self, texture: Texture) -> Handle<Image> {
        match texture {
            Texture::Stone => &self.stone,
            Texture::Planks => &self.planks,
            Texture::Grass => &self.grass,
            Texture::Rug => &self.rug,
        }
        .clone()
    }
}

fn image(paint: fn(usize, usize) -> Vec3) -> Image {
    let mut pixels = Vec::with_capacity(SIDE * SIDE * 4);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let colour = paint(x, y).clamp(Vec3::ZERO, Vec3::ONE) * 255.0;
            pixels.extend([colour.x as u8, colour.y as u8, colour.z as u8, 255]);
        }
    }
    let size = Extent3d {
        width: SIDE as u32,
        height: SIDE as u32,
        depth_or_array_layers: 1,
    };
    let (flat, format) = (TextureDimension::D2, TextureFormat::Rgba8UnormSrgb);
    let mut image = Image::new(size, flat, pixels, format, RenderAssetUsages::RENDER_WORLD);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

/// A number from 0 to 1 that looks like chance and is always the same.
pub fn chance(x: usize, y: usize) -> f32 {
    let mut bits = (x as u32).wrapping_mul(0x9E37_79B9) ^ (y as u32).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    ((bits ^ (bits >> 15)) & 0xFFFF) as f32 / 65535.0
}

/// Smooth noise, in cells of this number of pixels. It repeats at the edges.
fn cloud(x: usize, y: usize, cell: usize) -> f32 {
    let cells = SIDE / cell;
    let (i, j) = (x / cell, y / cell);
    let smooth = |part: usize| {
        let t = (part % cell) as f32 / cell as f32;
        t * t * (3.0 - 2.0 * t)
    };
    let (s, t) = (smooth(x), smooth(y));
    let at = |i: usize, j: usize| chance(i % cells + cell * 31, j % cells + cell * 57);
    let top = at(i, j).lerp(at(i + 1, j), s);
    let bottom = at(i, j + 1).lerp(at(i + 1, j + 1), s);
    top.lerp(bottom, t)
}

/// Courses of blocks with joints of mortar, each block in a shade of its own.
fn stone(x: usize, y: usize) -> Vec3 {
    const HIGH: usize = 64;
    let course = y / HIGH;
    // Long blocks and short ones in turn, and no joint above another.
    let along = (x + course * 53) % SIDE;
    let wide = if course.is_multiple_of(2) { 128 } else { 64 };
    let (block, within, up) = (along / wide, along % wide, y % HIGH);
    let edge = within.min(wide - 1 - within).min(up).min(HIGH - 1 - up) as f32;
    let grain = 0.12 * (cloud(x, y, 8) - 0.5) + 0.16 * (cloud(x, y, 32) - 0.5);
    let shade = 0.66 + 0.26 * (chance(block + 7, course + 3) - 0.5) + grain;
    // Towards the joint a block is worn, and so darker.
    let worn = (edge / 7.0).min(1.0);
    let grey = if edge < 2.0 {
        0.26 + grain
    } else {
        shade * (0.72 + 0.28 * worn)
    };
    Vec3::new(grey * 1.02, grey, grey * 0.97)
}

/// Upright planks with their grain and, here and there, a nail.
fn planks(x: usize, y: usize) -> Vec3 {
    const WIDE: usize = 64;
    let (plank, within) = (x / WIDE, x % WIDE);
    let grain = cloud((x * 4) % SIDE, y, 64) * 0.5 + cloud((x * 8) % SIDE, y, 32) * 0.5;
    let shade = 0.82 + 0.22 * (chance(plank, 11) - 0.5) + 0.30 * (grain - 0.5);
    let joint = if within < 2 { 0.45 } else { 1.0 };
    let nail = if (within as f32 - 32.0).abs() < 3.0 && (y % 128).abs_diff(12) < 3 {
        0.4
    } else {
        1.0
    };
    Vec3::new(0.46, 0.29, 0.16) * shade * joint * nail
}

/// Grass and moss, in patches.
fn grass(x: usize, y: usize) -> Vec3 {
    let patch = cloud(x, y, 64) * 0.6 + cloud(x, y, 16) * 0.4;
    let blade = 0.10 * (chance(x, y) - 0.5);
    Vec3::new(0.13, 0.22, 0.12).lerp(Vec3::new(0.24, 0.33, 0.16), patch) * (1.0 + blade * 2.0)
}

/// A round rug: rings, and a star with eight points.
fn rug(x: usize, y: usize) -> Vec3 {
    let half = SIDE as f32 / 2.0;
    let from_middle = vec2(x as f32 - half, y as f32 - half) / half;
    let far = from_middle.length();
    let red = Vec3::new(0.45, 0.10, 0.13);
    let gold = Vec3::new(0.78, 0.58, 0.22);
    let blue = Vec3::new(0.14, 0.15, 0.36);
    let turn = from_middle.to_angle() * 4.0;
    let star = 0.38 + 0.22 * turn.cos().abs().powi(3);
    let weave = 1.0 + 0.12 * (chance(x, y) - 0.5);
    let colour = match far {
        _ if (0.86..0.91).contains(&far) || (0.70..0.72).contains(&far) => gold,
        _ if far > 0.72 => red,
        _ if far < star * 0.55 => red,
        _ if far < star => gold,
        _ => blue,
    };
    colour * weave
}

/// The night, from the top of the sky to below the horizon.
fn sky(_: usize, y: usize) -> Vec3 {
    let down = y as f32 / SIDE as f32;
    let (top, middle, low) = (
        Vec3::new(0.030, 0.040, 0.110),
        Vec3::new(0.085, 0.115, 0.250),
        Vec3::new(0.260, 0.250, 0.400),
    );
    if down < 0.36 {
        top.lerp(middle, down / 0.36)
    } else {
        middle.lerp(low, ((down - 0.36) / 0.14).min(1.0))
    }
}
