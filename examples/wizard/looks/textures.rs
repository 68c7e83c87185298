//! Textures, made pixel by pixel when the game starts: there is nothing to download.

mod night;
mod noise;
mod patterns;

pub use noise::chance;

use super::shapes::Texture;
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use night::sky;
use patterns::{grass, planks, rug, stone};

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
