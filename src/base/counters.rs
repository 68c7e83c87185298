//! Counters for tests, traces and diagnostics.

use bevy::prelude::{ReflectResource, Resource};
use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};

/// What has happened since the game began, in numbers. The pipeline counts, saves keep the numbers, and no decision depends on
/// them.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[reflect(Resource)]
#[serde(deny_unknown_fields)]
pub struct DramatisCounters {
    /// Calls of an engine, failed ones too.
    pub engine_calls: u64,
    /// Attempts of all runs. Each makes at most one call, or two where the model is asked for actions separately.
    pub attempts: u64,
    /// Runs that ended with a fallback line.
    pub fallbacks: u64,
    /// Mutations that aimed at canon and were blocked.
    pub canon_writes_blocked: u64,
    /// Mutations that aimed at a world fact, which only the game may change, and were blocked.
    pub authority_blocked: u64,
    /// Intents that were approved and done.
    pub intents_approved: u64,
    /// Turns of actors that were taken.
    pub turns: u64,
    /// Actions of such turns that were done.
    #[serde(rename = "deeds_applied")]
    pub actions_applied: u64,
    /// Actions of such turns that were refused, or could not be read.
    #[serde(rename = "deeds_refused")]
    pub actions_refused: u64,
    /// Runs that ended Accepted: an attempt passed the gate and was committed.
    pub accepted: u64,
    /// Runs that ended Cancelled: something ended them from outside.
    pub cancelled: u64,
    /// Requests that were refused before they became a run.
    pub refused: u64,
    /// Fallback lines that were spoken because the engine gave no usable reply.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub fallbacks_engine: u64,
    /// Fallback lines that were spoken because the deadline passed.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub fallbacks_deadline: u64,
    /// Fallback lines that were spoken because the gate refused the last reply, or it could not be read. The other fallbacks
    /// have another reason, such as a prompt that is too long.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub fallbacks_refused: u64,
    /// Changes of memory in accepted replies that were not made: a judge rejected them alone, or they failed.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub not_remembered: u64,
    /// Requests for what a character remembers of a talk that failed.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub remember_failed: u64,
    /// Requests for a diary entry that failed.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub diary_failed: u64,
    /// Calls that were cancelled because a part of their reply failed before its end.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub calls_aborted: u64,
}

impl DramatisCounters {
    /// Those that saves leave out where nothing was counted.
    pub(crate) const LEFT_OUT: [&str; 7] = [
        "fallbacks_engine",
        "fallbacks_deadline",
        "fallbacks_refused",
        "not_remembered",
        "remember_failed",
        "diary_failed",
        "calls_aborted",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::reflect::structs::Struct;
    use serde_json::{Map, json};

    #[test]
    fn every_counter_that_is_left_out_is_listed() {
        let counters = DramatisCounters::default();
        let written = json!(counters).as_object().map_or(0, Map::len);
        assert_eq!(
            written + DramatisCounters::LEFT_OUT.len(),
            counters.field_len()
        );
        let one = |name: &str| (name.to_owned(), json!(1));
        let mut all = json!(counters).as_object().cloned().unwrap();
        all.extend(DramatisCounters::LEFT_OUT.map(one));
        // A name that is no counter's would be refused.
        let counted: DramatisCounters = serde_json::from_value(all.into()).unwrap();
        assert_eq!(counted.diary_failed, 1);
    }
}
