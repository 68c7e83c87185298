//! Hashes before and after something happened.

use crate::base::canonical::Digest;
use serde::Serialize;

/// The hash of a mind or of the judged world, before and after something happened. In a file both are hexadecimal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BeforeAfter {
    /// The hash before it happened.
    #[serde(serialize_with = "Digest::serialize_hex")]
    pub before: Digest,
    /// The hash afterwards; the same as before when nothing changed.
    #[serde(serialize_with = "Digest::serialize_hex")]
    pub after: Digest,
}
