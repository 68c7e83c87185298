//! How often rules have found something since the game began.

use super::findings::findings;
use crate::events::RunEnded;
use crate::pipeline::AttemptLog;
use bevy::prelude::{On, Query, ResMut, Resource};
use std::collections::BTreeMap;

/// How many findings rules have had since the game began, by the id of who spoke or acted and that of the rule: runs and turns that
/// are not kept any more count too. At most 10,000 are counted, those that found something first.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingCounts(pub BTreeMap<(String, String), u64>);

impl FindingCounts {
    /// How many are counted.
    pub const MOST: usize = 10_000;

    pub(super) fn add(&mut self, who: &str, rule: &str) {
        let key = (who.to_owned(), rule.to_owned());
        if let Some(count) = self.0.get_mut(&key) {
            *count = count.saturating_add(1);
        } else if self.0.len() < Self::MOST {
            self.0.insert(key, 1);
        }
    }
}

/// Counts what was found in a run.
pub(in crate::inspector) fn count_run(
    ended: On<RunEnded>,
    runs: Query<&AttemptLog>,
    mut counts: ResMut<FindingCounts>,
) {
    let attempts = runs.get(ended.run).into_iter().flat_map(|log| log.0.iter());
    for verdict in attempts.filter_map(|attempt| attempt.verdict.as_ref()) {
        for finding in findings(verdict) {
            counts.add(&ended.npc, finding.rule);
        }
    }
}
