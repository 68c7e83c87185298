//! What the sky looks like.

use super::SIDE;
use bevy::prelude::*;

/// The night, from the top of the sky to below the horizon.
pub(super) fn sky(_: usize, y: usize) -> Vec3 {
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
