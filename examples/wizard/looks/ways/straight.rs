//! Whether a way is straight.

use crate::looks::floor::is_free;
use bevy::prelude::*;

/// The distance between two points at which the code looks for room between them, in metres.
const LOOK: f32 = 0.08;

/// Whether there is room all along a straight line. Where it begins does not matter: one is there.
pub(super) fn is_straight(from: Vec2, to: Vec2) -> bool {
    let steps = (from.distance(to) / LOOK).ceil().max(1.0);
    let mut points = (1..=steps as u32).map(|step| from.lerp(to, step as f32 / steps));
    points.all(|point| is_free(point, true))
}
