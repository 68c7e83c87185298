//! What paints become.

use super::{Paint, Shapes};
use bevy::math::Affine2;
use bevy::prelude::*;

impl Shapes<'_> {
    pub fn material(&mut self, paint: Paint) -> Handle<StandardMaterial> {
        let mut material = StandardMaterial {
            perceptual_roughness: 0.9,
            reflectance: 0.2,
            ..default()
        };
        match paint {
            Paint::Plain(colour) => material.base_color = colour,
            Paint::Glow(colour, times) => {
                material.base_color = colour;
                material.emissive = colour.to_linear() * times;
            }
            Paint::Textured(texture, repeats, tint) => {
                material.base_color = tint;
                material.base_color_texture = Some(self.textures.get(texture));
                material.uv_transform = Affine2::from_scale(repeats);
            }
            Paint::Glass(colour) => {
                material.base_color = colour;
                material.alpha_mode = AlphaMode::Blend;
                material.unlit = true;
            }
        }
        self.materials.add(material)
    }

    /// A material as it is given.
    pub fn own_material(&mut self, material: StandardMaterial) -> MeshMaterial3d<StandardMaterial> {
        MeshMaterial3d(self.materials.add(material))
    }
}
