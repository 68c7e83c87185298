//! Two ways to hash values of many parts.

use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};

/// How values of many parts are hashed: minds, and the snapshots of runs. A recording says how its own values were hashed; a
/// replay does the same, as a resource. A game without the resource hashes by parts.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hashing {
    /// The hash of the whole in canonical encoding. Versions whose files do not name a way hashed like this.
    #[default]
    Whole,
    /// The encoding contains the hash of a part that does not change in place of the part; that hash is taken once. For a mind
    /// it contains the sum of the hashes of the episodes: one more costs no more than itself.
    ByParts,
}
