//! Every way leads to its goal.

use super::squares::CORNER;
use super::*;

/// How fast one walks, in metres a second.
const PACE: f32 = 2.0;

/// The seconds that it takes to walk from here to the goal; `None`: it takes longer than a minute.
fn walk(way: &Way, from: Vec2, frames_a_second: f32) -> Option<f32> {
    let mut at = from;
    for frame in 0..(60.0 * frames_a_second) as u32 {
        if at.distance(way.goal) < 0.05 {
            return Some(frame as f32 / frames_a_second);
        }
        at += (way.next_point(at) - at).clamp_length_max(PACE / frames_a_second);
    }
    None
}

#[test]
fn from_everywhere_one_comes_to_where_one_likes_to_stand() {
    let goals = [
        vec2(-1.5, -1.1),
        vec2(7.6, -4.0),
        vec2(0.2, -2.2),
        vec2(9.5, -5.0),
        vec2(1.5, -0.4),
        vec2(7.4, -1.4),
    ];
    for goal in goals {
        let way = Way::to(goal);
        for column in 0..16u8 {
            for row in 0..8u8 {
                let at = CORNER + vec2(f32::from(column), f32::from(row)) * 1.2;
                if is_free(at, true) {
                    let took = [30.0, 144.0].map(|frames| walk(&way, at, frames));
                    let in_time = |took: Option<f32>| took.is_some_and(|took| took < 20.0);
                    assert!(took.into_iter().all(in_time), "{at} to {goal}: {took:?}");
                }
            }
        }
    }
}
