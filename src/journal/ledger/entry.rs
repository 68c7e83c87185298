//! One record on its way to whoever keeps the journal.

use crate::journal::record::Record;
use crate::journal::saved_game::StateRow;
use bevy::prelude::Entity;

/// What a record is about, for whoever is told that it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::journal) enum About {
    /// Nobody is told.
    Nobody,
    /// A run of this character.
    Run { npc: Entity, run: Entity },
    /// A turn of this actor.
    Turn { actor: Entity, turn: u64 },
}

/// A record with what it changes of the state in the file.
#[derive(Debug, Clone)]
pub(in crate::journal) struct LedgerEntry {
    pub record: Record,
    pub rows: Vec<StateRow>,
    /// The rows are the whole state.
    pub replaces_state: bool,
    /// Texts that the record names by their hash.
    pub blobs: Vec<String>,
    pub about: About,
}
