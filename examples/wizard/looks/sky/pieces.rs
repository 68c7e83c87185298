//! Meshes of many small pieces: stars and drops.

use super::{RAIN, SKY};
use crate::looks::textures::chance;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use std::f32::consts::PI;

/// How many stars there are.
const STARS: usize = 420;
const DROPS: usize = 260;

/// Many small squares on the sky, each turned towards the middle.
pub(super) fn stars() -> Mesh {
    let squares = (0..STARS).map(|star| {
        let around = chance(star, 1) * 2.0 * PI;
        // Most are low, where the camera looks.
        let up = chance(star, 2).powi(2) * 1.3 + 0.03;
        let at = vec3(around.cos() * up.cos(), up.sin(), around.sin() * up.cos()) * (SKY - 4.0);
        let size = 0.05 + 0.13 * chance(star, 3).powi(4);
        let right = at.cross(Vec3::Y).normalize_or(Vec3::X) * size;
        let up = right.cross(at).normalize_or(Vec3::Y) * size;
        (at, right, up)
    });
    squares_of(squares)
}

/// Thin streaks in a block of [`RAIN`], from its lowest corner.
pub(super) fn rain() -> Mesh {
    let streaks = (0..DROPS).map(|drop| {
        let at = vec3(chance(drop, 11), chance(drop, 12), chance(drop, 13)) * RAIN;
        (at, Vec3::X * 0.008, vec3(0.02, 0.16, 0.0))
    });
    squares_of(streaks)
}

/// A mesh of flat four-cornered pieces: the middle of each, and what leads to its right and upper edge.
fn squares_of(pieces: impl Iterator<Item = (Vec3, Vec3, Vec3)>) -> Mesh {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    for (at, right, up) in pieces {
        let first = corners.len() as u32;
        corners.extend(
            [
                at - right - up,
                at + right - up,
                at + right + up,
                at - right + up,
            ]
            .map(|corner| corner.to_array()),
        );
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    let normals = vec![[0.0, 1.0, 0.0]; corners.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}
