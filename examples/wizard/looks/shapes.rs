//! Simple shapes, and what they are painted with: a colour, a glow, or a texture that is made here.

mod material;
mod paint;

pub use paint::*;

use super::textures::Textures;
use bevy::ecs::system::SystemParam;
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

    pub fn own_mesh(&mut self, mesh: Mesh) -> Mesh3d {
        Mesh3d(self.meshes.add(mesh))
    }
}
