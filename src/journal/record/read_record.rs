//! Records that were read: what a replay takes from their text, made on whatever thread has time for it.

use super::encoded::{EncodedRecord, NotRead};
use super::kind::{RecordBody, RecordKind};
use crate::journal::record::run_timeline::{Moment, RunTimeline};

/// A record, and what it says if it is whole. It is made from an [`EncodedRecord`].
#[derive(Debug, Clone)]
pub(crate) struct ReadRecord {
    /// The record as text.
    pub record: EncodedRecord,
    /// What it says, without its outputs; why it is not believed or not understood otherwise.
    pub(crate) says: Result<RecordBody<'static>, NotRead>,
}

impl From<EncodedRecord> for ReadRecord {
    fn from(record: EncodedRecord) -> Self {
        Self {
            says: record.read_sealed(),
            record,
        }
    }
}

/// What has to be known of a record before anything is played. It is made from an [`EncodedRecord`].
#[derive(Debug, Clone)]
pub(crate) struct RecordOutline {
    /// The number of the record, from 1.
    pub seq: u64,
    /// When the run began that it tells of. `None` of other records, of runs that began before the recording, and where this was
    /// tampered with, which is told of when the record is reached.
    pub(crate) began: Option<Began>,
    /// The record itself, where it names the sources of what was authored.
    pub(crate) naming: Option<EncodedRecord>,
}

/// When a run began, and the moment of its record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Began {
    /// When it began.
    pub at: Moment,
    /// When its record was written, which is when it was over.
    pub over: Moment,
}

impl RecordOutline {
    /// Whether the body of a record of this kind, by its name, says anything that an outline tells.
    #[cfg(feature = "store")]
    pub(crate) fn needs_body(kind: &str) -> bool {
        let kind = RecordKind::named(kind);
        kind.is_some_and(|kind| kind == RecordKind::Interaction || kind.names_assets())
    }
}

impl From<EncodedRecord> for RecordOutline {
    fn from(record: EncodedRecord) -> Self {
        let began = || {
            let timeline: RunTimeline = record.sealed_field("timetable")?;
            Some(Began {
                at: timeline.started.filter(|_| !timeline.begun_before)?,
                over: Moment {
                    after: record.seq.saturating_sub(1),
                    game: record.game.0,
                },
            })
        };
        Self {
            seq: record.seq,
            began: (record.kind == RecordKind::Interaction)
                .then(began)
                .flatten(),
            naming: record.kind.names_assets().then_some(record),
        }
    }
}
