//! One record on its way to the journal that keeps it.

use crate::journal::game::saved_game::{Session, StateRow};
use crate::journal::record::{
    ChangeSource, CheckpointReason, EncodedRecord, RecordBody, RecordKind, WriteBody,
};
use crate::memory::authority::WriteSource;
use crate::world::GameWrite;
use bevy::prelude::Entity;

/// The subject of a record, for the event that says that it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
    /// There is no event.
    Nobody,
    /// A run of this character.
    Run { npc: Entity, run: Entity },
    /// A turn of this actor; `None` when it has no entity.
    Turn { actor: Option<Entity>, turn: u64 },
}

/// What a record says about whether a player plays: a start without a player must not replace an earlier game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// Nothing: the story, characters and settings are loaded, or a request was refused.
    SetUp,
    /// The game changed something in place, perhaps with no player's doing: it was found by comparison.
    Changed,
    /// The game wrote something by name.
    Written,
    /// A player or a request caused it, or a game was loaded.
    Played,
}

impl Sign {
    fn of_kind(kind: RecordKind) -> Self {
        match kind {
            RecordKind::Interaction
            | RecordKind::Turn
            | RecordKind::AdventureTurn
            | RecordKind::Plan => Self::Played,
            RecordKind::Mind | RecordKind::Adventure => Self::Changed,
            RecordKind::Input => Self::Written,
            _ => Self::SetUp,
        }
    }

    pub(super) fn of(body: &RecordBody<'_>) -> Self {
        match body {
            RecordBody::Checkpoint(body) if body.reason == CheckpointReason::Loaded => Self::Played,
            RecordBody::Write(body) => Self::of_write(body),
            _ => Self::of_kind(body.kind()),
        }
    }

    fn of_write(body: &WriteBody) -> Self {
        let by_story = |write: &GameWrite| write.source() == WriteSource::Designer;
        match body.source {
            ChangeSource::Observed => Self::Changed,
            // A story that is installed puts its things where they belong.
            ChangeSource::GameSystem if body.write.as_ref().is_some_and(by_story) => Self::SetUp,
            ChangeSource::GameSystem => Self::Written,
        }
    }
}

/// A record and the rows that it changes of the state in the file.
pub(crate) type RecordAndRows = (EncodedRecord, Vec<StateRow>);

/// A record with what it changes of the state in the file.
#[cfg_attr(
    not(feature = "store"),
    expect(dead_code, reason = "a journal in memory asks for the record alone")
)]
pub(crate) struct LedgerEntry {
    pub seq: u64,
    pub kind: RecordKind,
    pub sign: Sign,
    content: Content,
    /// Rows that come after those of the record.
    pub rows: Vec<StateRow>,
    /// How far the game is, which is a row too. `None`: as far as the last entry said, or the rows are the whole state.
    pub session: Option<Session>,
    /// The rows are the whole state.
    pub replaces_state: bool,
    /// Texts that the record names by their hash.
    pub blobs: Vec<String>,
    pub about: About,
}

/// Most records are made when they are needed, on the thread that writes them: encoding them takes longer than the turn that
/// they describe.
enum Content {
    Made(EncodedRecord),
    Pending(Box<dyn FnOnce() -> RecordAndRows + Send + Sync>),
}

impl LedgerEntry {
    fn new(seq: u64, kind: RecordKind, content: Content) -> Self {
        Self {
            seq,
            kind,
            sign: Sign::of_kind(kind),
            content,
            rows: Vec::new(),
            session: None,
            replaces_state: false,
            blobs: Vec::new(),
            about: About::Nobody,
        }
    }

    pub(super) fn made(record: EncodedRecord) -> Self {
        Self::new(record.seq, record.kind, Content::Made(record))
    }

    /// A record that is made later, of what `make` has taken with it.
    pub(super) fn pending(
        seq: u64,
        kind: RecordKind,
        make: impl FnOnce() -> RecordAndRows + Send + Sync + 'static,
    ) -> Self {
        Self::new(seq, kind, Content::Pending(Box::new(make)))
    }

    /// The record, and all rows that it changes.
    pub fn finish(self) -> RecordAndRows {
        let (record, mut rows) = match self.content {
            Content::Made(record) => (record, Vec::new()),
            Content::Pending(make) => make(),
        };
        rows.extend(self.rows);
        rows.extend(self.session.map(Session::row));
        (record, rows)
    }
}
