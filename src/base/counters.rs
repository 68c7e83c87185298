//! Counters for tests, traces and diagnostics.

use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};

/// What has happened so far, in numbers.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramatisCounters {
    /// Requests given to an engine, failed ones too.
    pub engine_calls: u64,
    /// Attempts of all runs.
    pub attempts: u64,
    /// Runs that ended with a fallback line.
    pub fallbacks: u64,
    /// Mutations aimed at canon.
    pub canon_writes_blocked: u64,
    /// Writes without authority.
    pub authority_blocked: u64,
    /// Intents that were approved.
    pub intents_approved: u64,
    /// Turns of actors that were taken.
    pub turns: u64,
    /// Actions of such turns that were done.
    #[serde(rename = "deeds_applied")]
    pub actions_applied: u64,
    /// Actions of such turns that were refused.
    #[serde(rename = "deeds_refused")]
    pub actions_refused: u64,
    /// Runs that ended Accepted.
    pub accepted: u64,
    /// Runs that ended Cancelled.
    pub cancelled: u64,
    /// Requests that were refused.
    pub refused: u64,
}
