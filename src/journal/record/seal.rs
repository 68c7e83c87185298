//! Seals: short hashes of all that a replay is fed with.

use super::kind::RecordKind;
use crate::base::canonical::Digest;

/// A short hash of a value in the canonical encoding: enough to name a field, while the chain guards the whole.
pub(super) fn seal_of(text: &str) -> String {
    let digest = Digest::of_bytes(text.as_bytes());
    format!("{:016x}", digest.to_u64())
}

/// Whether a replay is fed with a field, which is sealed then.
pub(super) fn is_fed(kind: RecordKind, field: &str) -> bool {
    field != "seals" && !kind.outputs().contains(&field)
}
