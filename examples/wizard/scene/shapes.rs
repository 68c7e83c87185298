//! Simple shapes, and what they are painted with: a colour, a glow, or a texture that is made here.

use super::textures::Textures;
use bevy::ecs::system::SystemParam;
use bevy::math::Affine2;
use bevy::prelude::*;

/// Makes shapes. Everything in the scene comes from here.
#[derive(SystemParam)]
pub struct Shapes<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    textures: Res<'w, Textures>,
}

/// What a shape is, for `spawn`.
pub type Shape = (Mesh3d, MeshMaterial3d<StandardMaterial>, Transform);

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

impl Shapes<'_> {
    pub fn shape(
        &mut self,
        mesh: impl Into<Mesh>,
        paint: impl Into<Paint>,
        at: Transform,
    ) -> Shape {
        (
            Mesh3d(self.meshes.add(mesh.into())),
            MeshMaterial3d(self.material(paint.into())),
            at,
        )
    }

    /// A box of this size, with its middle here.
    pub fn block(&mut self, size: Vec3, paint: impl Into<Paint>, at: Vec3) -> Shape {
        self.shape(
            Cuboid::from_size(size),
            paint,
            Transform::from_translation(at),
        )
    }

    /// A ball of this radius, with its middle here.
    pub fn ball(&mut self, radius: f32, paint: impl Into<Paint>, at: Vec3) -> Shape {
        self.shape(
            Sphere::new(radius).mesh().uv(16, 10),
            paint,
            Transform::from_translation(at),
        )
    }

    /// An upright round pillar, or a disc, with its middle here.
    pub fn pillar(&mut self, radius: f32, height: f32, paint: impl Into<Paint>, at: Vec3) -> Shape {
        self.shape(
            Cylinder::new(radius, height).mesh().resolution(20),
            paint,
            Transform::from_translation(at),
        )
    }

    /// A cone that points up, with its middle here.
    pub fn cone(&mut self, radius: f32, height: f32, paint: impl Into<Paint>, at: Vec3) -> Shape {
        self.shape(
            Cone::new(radius, height).mesh().resolution(14),
            paint,
            Transform::from_translation(at),
        )
    }

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

    pub fn own_mesh(&mut self, mesh: Mesh) -> Mesh3d {
        Mesh3d(self.meshes.add(mesh))
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
