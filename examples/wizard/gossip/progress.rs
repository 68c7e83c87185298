//! How far the talk of a visit has come.

use crate::cast::{GARDENER, WIZARD};
use bevy::prelude::*;

/// Seconds between a line and the answer to it, so that a player can read it.
const PAUSE: f32 = 3.5;

/// How far the talk of her visit has come.
#[derive(Resource)]
pub struct Gossip {
    /// Whether she visits now.
    pub visits: bool,
    /// `None`: they do not talk.
    pub(super) step: Option<Step>,
    /// Seconds until something follows from the step.
    pub(super) left: f32,
    /// How many talks have begun.
    pub(super) talks: usize,
    /// Seconds between a line and the answer to it.
    pub pause: f32,
}

impl Default for Gossip {
    fn default() -> Self {
        Self {
            visits: false,
            step: None,
            left: 0.0,
            talks: 0,
            pause: PAUSE,
        }
    }
}

impl Gossip {
    /// Whether the two do not talk.
    pub fn is_over(&self) -> bool {
        self.step.is_none()
    }

    pub(super) fn goes_to(&mut self, step: Step, seconds: f32) {
        self.step = Some(step);
        self.left = seconds;
    }
}

pub(super) enum Step {
    /// They are in the same place, and not yet near each other.
    WalkingUp,
    /// A line was said. The other one hears it after a pause.
    Said(Line),
    /// The other one has heard it and thinks of an answer.
    Heard(Line),
}

pub(super) struct Line {
    /// The id of who says it.
    pub(super) by: &'static str,
    pub(super) text: String,
    /// Which line of the visit it is, from 1.
    pub(super) number: u8,
}

impl Line {
    pub(super) fn hearer(&self) -> &'static str {
        if self.by == WIZARD { GARDENER } else { WIZARD }
    }
}
