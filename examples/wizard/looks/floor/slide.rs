//! How a figure gets along where walls and things are in the way.

use super::room::{GAP, REACH, depth, is_free};
use super::{DOOR_ANGLE, around, doorway_position};
use bevy::prelude::*;

/// Where a figure gets that wants to go from here to there: along the walls, and not through them.
pub fn slide(from: Vec2, to: Vec2, door_is_open: bool) -> Vec2 {
    if !is_free(from, door_is_open) {
        // The door was shut on the figure: it can step out of the door, as out of anything else.
        let (before, after) = (depth(from, door_is_open), depth(to, door_is_open));
        return if after < before || before == 0.0 {
            to
        } else {
            from
        };
    }
    let free = |at: &Vec2| is_free(*at, door_is_open);
    // In the doorway the walls are at an angle.
    let out = around(DOOR_ANGLE, 1.0).xz();
    let along_doorway = from + (to - from).project_onto(out);
    let doorway = is_in_doorway(from).then_some(along_doorway);
    let ways = [to, vec2(to.x, from.y), vec2(from.x, to.y)];
    ways.into_iter().chain(doorway).find(free).unwrap_or(from)
}

/// Whether a figure is in the doorway or right before it.
fn is_in_doorway(at: Vec2) -> bool {
    let (along, aside) = doorway_position(at);
    aside.abs() < GAP + 0.15 && along.abs() < REACH
}

/// The spot for a figure that goes from here to a thing: next to it, as near as there is room.
pub fn way_to(from: Vec2, thing: Vec2, near: f32) -> Vec2 {
    let back = (from - thing).normalize_or(Vec2::Y);
    let steps = (0..20u8).map(|step| thing + back * (near + 0.1 * f32::from(step)));
    let mut free = steps.filter(|at| is_free(*at, true));
    // A thing at a wall is seen from the middle of the room.
    free.next().unwrap_or(from)
}
