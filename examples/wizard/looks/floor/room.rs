//! Where there is room for a figure.

use super::{RADIUS, WALL, doorway_position};
use bevy::prelude::*;

/// How much room a body needs on each side.
const BODY: f32 = 0.38;
/// Half of the room that is left for the middle of a body in the doorway.
pub(super) const GAP: f32 = 0.42;
/// How far the doorway reaches into the room and into the yard, from the middle of the wall.
pub(super) const REACH: f32 = 1.1;
/// The tower is open here, towards the camera.
const FRONT: f32 = 2.9;
/// The yard, from its corner at the back left to that at the front right.
const YARD_AREA: (Vec2, Vec2) = (vec2(5.0, -6.2), vec2(14.2, 2.6));

/// Obstacles: a middle, and a radius. If you move a thing in `tower.rs`, `yard.rs` or `things.rs`, move it here, too.
const OBSTACLES: [(Vec2, f32); 10] = [
    // The hearth with the cauldron, the chest, the shelf, the table, the chair and the telescope.
    (vec2(-3.5, -2.1), 0.95),
    (vec2(1.5, -3.5), 0.6),
    (vec2(-1.9, -4.0), 0.7),
    (vec2(-3.3, 0.9), 0.8),
    (vec2(2.35, -2.75), 0.45),
    (vec2(0.2, -3.9), 0.5),
    // The well, the herb bed, the bell, the tree.
    (vec2(10.9, -3.6), 0.9),
    (vec2(8.0, -5.6), 0.9),
    (vec2(13.0, -1.0), 0.9),
    (vec2(12.6, 1.9), 0.5),
];

/// Whether there is room for a figure here.
pub fn is_free(at: Vec2, door_is_open: bool) -> bool {
    let (along, aside) = doorway_position(at);
    let leaf = !door_is_open && along.abs() < 0.35 + BODY / 2.0;
    if aside.abs() < GAP && along.abs() < REACH {
        return !leaf;
    }
    if OBSTACLES
        .iter()
        .any(|(middle, radius)| at.distance(*middle) < radius + BODY / 2.0)
    {
        return false;
    }
    let in_room = at.length() < RADIUS - BODY && at.y < FRONT;
    let in_yard = at.length() > RADIUS + WALL + BODY
        && at.cmpge(YARD_AREA.0).all()
        && at.cmple(YARD_AREA.1).all();
    in_room || in_yard
}

/// How deep a figure is in a thing or in a shut door, in metres; 0 where nothing is in the way.
pub(super) fn depth(at: Vec2, door_is_open: bool) -> f32 {
    let things = OBSTACLES
        .iter()
        .map(|(middle, radius)| radius + BODY / 2.0 - at.distance(*middle));
    let (along, aside) = doorway_position(at);
    let is_in_leaf = !door_is_open && aside.abs() < GAP;
    let leaf = is_in_leaf.then_some(0.35 + BODY / 2.0 - along.abs());
    things.chain(leaf).fold(0.0, f32::max)
}
