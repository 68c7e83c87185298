//! Where there is room for a figure: a round room, a doorway, a yard. Plain geometry, seen from above: `x` to the right, `y`
//! for what is `z` in the scene.

use crate::game::{TOWER, YARD};
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// From the middle of the tower to the inside of its wall.
pub const RADIUS: f32 = 4.6;
/// How thick the wall is.
pub const WALL: f32 = 0.4;
/// Where in the wall the door is, in degrees: 0 is to the right, 90 is at the back.
pub const DOOR_ANGLE: f32 = 30.0;
/// How high the ground of the yard is. The floor of the tower is at 0.
pub const GROUND: f32 = -0.25;
/// How far the step before the door reaches out, from the middle of the wall, and to each side.
const STEP: Vec2 = vec2(1.05, 0.7);
/// How much room a body needs on each side.
const BODY: f32 = 0.38;
/// Half of the room that is left for the middle of a body in the doorway.
const GAP: f32 = 0.42;
/// How far the doorway reaches into the room and into the yard, from the middle of the wall.
const REACH: f32 = 1.1;
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

/// A place on the floor, from a distance and an angle as a clock's hand has them.
pub fn around(degrees: f32, far: f32) -> Vec3 {
    let angle = degrees.to_radians();
    vec3(far * angle.cos(), 0.0, -far * angle.sin())
}

/// At the wall of the tower: `x` along it, `z` into the room.
pub fn at_wall(degrees: f32, far: f32) -> Transform {
    let turn = Quat::from_rotation_y(degrees.to_radians() - FRAC_PI_2);
    Transform::from_translation(around(degrees, far)).with_rotation(turn)
}

/// How far a figure is through the doorway: along it, from the middle of the wall outwards, and aside of its middle.
fn doorway_position(at: Vec2) -> (f32, f32) {
    let out = around(DOOR_ANGLE, 1.0).xz();
    (at.dot(out) - (RADIUS + WALL / 2.0), at.perp_dot(out))
}

/// Whether a figure is in the doorway or right before it.
fn is_in_doorway(at: Vec2) -> bool {
    let (along, aside) = doorway_position(at);
    aside.abs() < GAP + 0.15 && along.abs() < REACH
}

/// The place that this is part of.
pub fn place_of(at: Vec2) -> &'static str {
    if at.length() < RADIUS + WALL / 2.0 {
        TOWER
    } else {
        YARD
    }
}

/// The height of a figure here: on the floor, on the step before the door, or on the ground of the yard.
pub fn height(at: Vec2) -> f32 {
    if at.length() < RADIUS + WALL {
        return 0.0;
    }
    let (along, aside) = doorway_position(at);
    let off_the_step = (along - STEP.x).max(aside.abs() - STEP.y);
    GROUND * (off_the_step / 0.3).clamp(0.0, 1.0)
}

/// A place here, at the height of the floor.
pub fn on_floor(at: Vec2) -> Vec3 {
    vec3(at.x, height(at), at.y)
}

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
fn depth(at: Vec2, door_is_open: bool) -> f32 {
    let things = OBSTACLES
        .iter()
        .map(|(middle, radius)| radius + BODY / 2.0 - at.distance(*middle));
    let (along, aside) = doorway_position(at);
    let is_in_leaf = !door_is_open && aside.abs() < GAP;
    let leaf = is_in_leaf.then_some(0.35 + BODY / 2.0 - along.abs());
    things.chain(leaf).fold(0.0, f32::max)
}

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

/// The spot for a figure that goes from here to a thing: next to it, as near as there is room.
pub fn way_to(from: Vec2, thing: Vec2, near: f32) -> Vec2 {
    let back = (from - thing).normalize_or(Vec2::Y);
    let steps = (0..20u8).map(|step| thing + back * (near + 0.1 * f32::from(step)));
    let mut free = steps.filter(|at| is_free(*at, true));
    // A thing at a wall is seen from the middle of the room.
    free.next().unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_in_a_door_that_shuts_can_step_out_of_it_on_either_side() {
        let out = around(DOOR_ANGLE, 1.0).xz();
        let middle = out * (RADIUS + WALL / 2.0);
        for side in [-1.0, 1.0] {
            let mut at = middle + out * 0.1 * side;
            assert!(!is_free(at, false));
            for _ in 0..20 {
                at = slide(at, at + out * 0.04 * side, false);
            }
            assert!(is_free(at, false), "{at}");
            // The way back is shut.
            for _ in 0..40 {
                at = slide(at, at - out * 0.04 * side, false);
            }
            assert!(doorway_position(at).0 * side > 0.35, "{at}");
        }
    }

    #[test]
    fn one_stands_on_the_floor_the_step_and_the_ground() {
        let out = around(DOOR_ANGLE, 1.0).xz();
        let beside = |along: f32| height(out * (RADIUS + WALL / 2.0 + along));
        assert_eq!([beside(-1.0), beside(0.0), beside(1.0)], [0.0; 3]);
        assert_eq!(beside(1.5), GROUND);
        assert_eq!(height(vec2(9.5, -5.0)), GROUND);
    }
}
