//! The way from here to there, around obstacles: a map of the floor in small squares, each of which knows how far it is to
//! the goal.

mod squares;
mod straight;
#[cfg(test)]
mod tests;

use super::floor::is_free;
use bevy::prelude::*;
use squares::{COLUMNS, ROWS, around, middle, nearest};
use std::collections::VecDeque;
use straight::is_straight;

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
