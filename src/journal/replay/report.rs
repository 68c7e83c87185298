//! What a replay found.

use crate::journal::drift::Divergence;

/// What a replay found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// How many records were looked at.
    pub records: u64,
    /// How many runs and turns happened again.
    pub repeated: u64,
    /// Runs that began before the recording did: they cannot happen again.
    pub skipped: Vec<u64>,
    /// Where the replay differs, the first field of each record.
    pub divergences: Vec<Divergence>,
    /// The record at which the replay had to stop, because what happened is not what was recorded.
    pub stopped: Option<u64>,
}

impl ReplayReport {
    /// Whether everything happened again just as it was recorded.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.divergences.is_empty() && self.stopped.is_none()
    }
}
