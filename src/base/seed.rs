//! The seed of a world: every draw comes from it and from what it decides, never from hidden state.

use bevy::prelude::*;

/// The seed that every draw of this world comes from.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorldSeed(pub u64);
