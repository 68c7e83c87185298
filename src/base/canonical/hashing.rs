//! Two ways to hash what is made of many parts.

use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};

/// How what is made of many parts is hashed: minds, and the snapshots of runs. A recording says how its own were; a replay does the
/// same, as a resource. A game without the resource hashes by parts.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hashing {
    /// The hash of the whole in canonical encoding. So did versions that wrote nothing of it.
    #[default]
    Whole,
    /// A part that does not change stands in the encoding by its own hash, which is taken once. Of a mind the sum of the hashes of its
    /// episodes stands there: one more costs no more than itself.
    ByParts,
}
