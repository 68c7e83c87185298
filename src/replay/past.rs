//! A recorded game as it was after one of its records.

use super::report::ReplayReport;
use crate::journal::game::capture::{Assets, capture};
use crate::journal::load::recording_of;
use crate::journal::{Recording, SavedGame};
use bevy::prelude::World;

/// A recorded game as it was after one of its records: what was where, and what each character remembered.
#[derive(Debug, Clone)]
pub(crate) struct PastGame {
    /// The game, as a save would hold it.
    pub game: SavedGame,
    /// The sources of its story and its characters.
    pub(crate) assets: Assets,
    /// Whether the records before it replay: from the first divergence on this result cannot be trusted.
    pub replay: ReplayReport,
}

impl PastGame {
    /// The game as it is in this world.
    pub(super) fn of(world: &mut World, replay: ReplayReport) -> Self {
        let (game, assets) = capture(world);
        Self {
            game,
            assets,
            replay,
        }
    }

    /// A recording of nothing but this game: what a scenario begins from, without all that came before.
    #[must_use]
    pub fn recording(&self) -> Recording {
        recording_of(&self.game, self.assets.clone())
    }
}
