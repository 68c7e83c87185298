//! What walls, floors and the ground look like.

use super::SIDE;
use super::noise::{chance, cloud};
use bevy::prelude::*;

/// Courses of blocks with joints of mortar, each block in a shade of its own.
pub(super) fn stone(x: usize, y: usize) -> Vec3 {
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
pub(super) fn planks(x: usize, y: usize) -> Vec3 {
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
pub(super) fn grass(x: usize, y: usize) -> Vec3 {
    let patch = cloud(x, y, 64) * 0.6 + cloud(x, y, 16) * 0.4;
    let blade = 0.10 * (chance(x, y) - 0.5);
    Vec3::new(0.13, 0.22, 0.12).lerp(Vec3::new(0.24, 0.33, 0.16), patch) * (1.0 + blade * 2.0)
}

/// A round rug: rings, and a star with eight points.
pub(super) fn rug(x: usize, y: usize) -> Vec3 {
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
