//! A recorded game as it was after one of its records.

use super::report::ReplayReport;
use crate::journal::game::capture::{Assets, capture};
use crate::journal::record::{CheckpointReason, EncodedRecord, RecordBody, checkpoint_bodies};
use crate::journal::{Recording, SavedGame};
use bevy::prelude::World;

/// A recorded game as it was after one of its records: what was where, and what everybody remembered.
#[derive(Debug, Clone)]
pub struct PastGame {
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
        let now = self.game.session.game;
        let rows = self.game.rows();
        let (first, parts) =
            checkpoint_bodies(self.game.clone(), &rows, CheckpointReason::Begun, 0);
        let first = RecordBody::Checkpoint(Box::new(first));
        let bodies = std::iter::once(first).chain(parts.into_iter().map(RecordBody::Part));
        let records = (1..).zip(bodies).filter_map(|(seq, body)| {
            // They are encoded here: they can be read.
            EncodedRecord::sealed(seq, now, None, &body)
                .to_record()
                .ok()
        });
        Recording {
            records: records.collect(),
            assets: self.assets.clone(),
        }
    }
}
