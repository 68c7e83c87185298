//! Events about the journal that a game keeps in a file.

use crate::base::ids::Id;
use crate::journal::save::file::LoadGameError;
use bevy::prelude::*;

/// A run or a turn, with all its effects, is on disk. Sent once for each, in the order of the records.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct TurnStored {
    /// The NPC of the run, or the actor of the turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the NPC or the actor; `None` when the entity is gone.
    pub id: Option<Id>,
    /// The number of its record in the file, from 1.
    pub seq: u64,
    /// The run; `None` for a turn. Its entity may be gone.
    pub run: Option<Entity>,
    /// The number of the turn; `None` for a run.
    pub turn: Option<u64>,
}

/// The journal is not written any more. Sent once for each stop; the game goes on, but nothing is stored. [`JournalResumed`]
/// follows when the file can be written again.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct JournalStopped {
    /// The file, and what is wrong with it, for people.
    pub why: String,
}

/// The journal is written again, from a full checkpoint on.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct JournalResumed {
    /// How many records are missing in the file.
    pub lost: u64,
}

/// The disk is slower than the game: records wait. Nothing is lost. Sent once, and again only after no record has waited.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct JournalBehind {
    /// How many records wait for the writer.
    pub waiting: usize,
}

/// The existing file that the journal continues was checked on another thread, from the first record on. Sent once; not sent
/// for a new file.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct JournalVerified {
    /// The number of its last record, or the problem with the file. The game and the journal go on in both cases.
    pub records: Result<u64, LoadGameError>,
}
