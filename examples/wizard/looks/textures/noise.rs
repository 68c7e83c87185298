//! What looks like chance.

use super::SIDE;
use bevy::prelude::*;

/// A number from 0 to 1 that looks like chance and is always the same.
pub fn chance(x: usize, y: usize) -> f32 {
    let mut bits = (x as u32).wrapping_mul(0x9E37_79B9) ^ (y as u32).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    ((bits ^ (bits >> 15)) & 0xFFFF) as f32 / 65535.0
}

/// Smooth noise, in cells of this number of pixels. It repeats at the edges.
pub(super) fn cloud(x: usize, y: usize, cell: usize) -> f32 {
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
