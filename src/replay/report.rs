//! What a replay found.

use crate::journal::recording::drift::Divergence;

/// What a replay found: how much was played, and where it differs from the recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// How many records were played: fewer than there are when the replay had to stop.
    pub records: u64,
    /// How many runs and turns happened again.
    pub repeated: u64,
    /// The numbers of the records that could not happen again, and were taken as given: of runs that began before the recording, and of
    /// turns of adventures that were interrupted, or during which something else was written down.
    pub skipped: Vec<u64>,
    /// Where the replay differs: of each record the first field. At most 1,000 are kept.
    pub divergences: Vec<Divergence>,
    /// The number of the record at which the replay had to stop, because what happened is not what was recorded. `None`: it
    /// came to the end.
    pub stopped: Option<u64>,
}

impl ReplayReport {
    /// Whether everything happened again just as it was recorded.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.doubt().is_none()
    }

    /// The first difference, for people: because of it the game after the replay cannot be trusted. `None` when the replay
    /// [holds](Self::holds).
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        let stopped = |seq| format!("the replay stopped at record {seq}");
        let first = self.divergences.first().map(ToString::to_string);
        first.or_else(|| self.stopped.map(stopped))
    }
}
