//! The way from here to there, around obstacles: a map of the floor in small squares, each of which knows how far it is to
//! the goal.

use super::floor::is_free;
use bevy::prelude::*;
use std::collections::VecDeque;

/// How wide a square is, in metres.
const SQUARE: f32 = 0.15;
/// The middle of the square at the back left.
const CORNER: Vec2 = vec2(-4.95, -6.45);
const COLUMNS: usize = 130;
const ROWS: usize = 66;
/// The distance between two points at which the code looks for room between them, in metres.
const LOOK: f32 = 0.08;
/// How many squares ahead the code looks for a straight way.
const AHEAD: usize = 40;

/// The way of a figure to a goal, from any place.
#[derive(Component)]
pub struct Way {
    goal: Vec2,
    /// How many squares it is to the goal, from each; [`u16::MAX`] where no way leads there.
    far: Vec<u16>,
}

impl Way {
    /// The way to a goal. An open door is a way: the rulebook decides who may pass.
    pub fn to(goal: Vec2) -> Self {
        let mut far = vec![u16::MAX; COLUMNS * ROWS];
        let mut reached: VecDeque<usize> = nearest(goal, |square| is_free(middle(square), true))
            .into_iter()
            .collect();
        for first in &reached {
            far[*first] = 0;
        }
        while let Some(square) = reached.pop_front() {
            let next = far[square].saturating_add(1);
            for other in around(square) {
                if far[other] == u16::MAX && is_free(middle(other), true) {
                    far[other] = next;
                    reached.push_back(other);
                }
            }
        }
        Self { goal, far }
    }

    /// Whether it leads there.
    pub fn leads_to(&self, goal: Vec2) -> bool {
        self.goal == goal
    }

    /// The next point on it for a figure that is here: as far ahead as there is room in a straight line.
    pub fn next_point(&self, at: Vec2) -> Vec2 {
        if is_straight(at, self.goal) {
            return self.goal;
        }
        let Some(mut square) = nearest(at, |square| self.far[square] != u16::MAX) else {
            return self.goal;
        };
        let mut point = middle(square);
        for ahead in 0..AHEAD {
            let Some(next) = around(square).min_by_key(|other| self.far[*other]) else {
                break;
            };
            // The next square can always be gone to: it is a step.
            let is_seen = ahead == 0 || is_straight(at, middle(next));
            if self.far[next] >= self.far[square] || !is_seen {
                break;
            }
            square = next;
            point = middle(next);
        }
        point
    }
}

/// Whether there is room all along a straight line. Where it begins does not matter: one is there.
fn is_straight(from: Vec2, to: Vec2) -> bool {
    let steps = (from.distance(to) / LOOK).ceil().max(1.0);
    let mut points = (1..=steps as u32).map(|step| from.lerp(to, step as f32 / steps));
    points.all(|point| is_free(point, true))
}

fn middle(square: usize) -> Vec2 {
    let place = UVec2::new((square % COLUMNS) as u32, (square / COLUMNS) as u32);
    CORNER + place.as_vec2() * SQUARE
}

/// The square that is nearest to this point, of those that `is` accepts: most often the one in which it lies, or one next to
/// it.
fn nearest(at: Vec2, is: impl Fn(usize) -> bool) -> Option<usize> {
    let far = |square: &usize| middle(*square).distance_squared(at);
    let nearest_of = |squares: &mut dyn Iterator<Item = usize>| {
        let those = squares.filter(|square| is(*square));
        those.min_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let place = ((at - CORNER) / SQUARE).round().max(Vec2::ZERO).as_uvec2();
    let column = (place.x as usize).min(COLUMNS - 1);
    let row = (place.y as usize).min(ROWS - 1);
    let own = row * COLUMNS + column;
    nearest_of(&mut std::iter::once(own).chain(around(own)))
        .or_else(|| nearest_of(&mut (0..COLUMNS * ROWS)))
}

/// The squares around one.
fn around(square: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (square % COLUMNS, square / COLUMNS);
    let near = |at: usize, count: usize| at.saturating_sub(1)..=(at + 1).min(count - 1);
    let rows = near(row, ROWS);
    let all = rows.flat_map(move |row| near(column, COLUMNS).map(move |column| (column, row)));
    all.map(|(column, row)| row * COLUMNS + column)
        .filter(move |other| *other != square)
}

#[cfg(test)]
mod tests {
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
}
