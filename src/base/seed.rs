//! The seed of a world: every draw comes from it and from what it decides, never from hidden state.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// The seed that every draw of this world comes from, sampling seeds included. The game inserts it; default 0.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource)]
pub struct WorldSeed(pub u64);
