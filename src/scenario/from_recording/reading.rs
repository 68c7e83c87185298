//! Reads the records of a recording that a scenario is made of.

use crate::base::time::GameTime;
use crate::journal::record::RecordBody;
use crate::journal::{Recorded, ReplayError};
use serde_json::{Map, Value};

/// A record with what it says.
pub(super) struct Said {
    pub seq: u64,
    pub game: GameTime,
    pub(crate) says: RecordBody<'static>,
    /// All its fields, with what came of it.
    pub fields: Map<String, Value>,
}

impl Said {
    pub(super) fn read(recording: &dyn Recorded, seq: u64) -> Result<Self, ReplayError> {
        let record = recording.record(seq)?;
        let says = record.read().map_err(|error| ReplayError::Unreadable {
            seq,
            field: error.field,
            why: error.why,
        })?;
        Ok(Self {
            seq,
            game: record.game,
            says,
            fields: record.body,
        })
    }
}
