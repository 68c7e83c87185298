//! The seed of a world: every draw comes from it and from what it decides, never from hidden state.

use super::canonical::draw;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The seed that every draw of this world comes from, sampling seeds included. The game inserts it; default 0.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource)]
pub struct WorldSeed(pub u64);

impl WorldSeed {
    /// Draws a number from the seed, the purpose and the keys: the same three give the same number, in a replay and on every
    /// machine.
    #[must_use]
    pub fn draw(self, purpose: &str, keys: &[&str]) -> u64 {
        draw(self.0, purpose, keys)
    }
}
