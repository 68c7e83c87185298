//! The one canonical encoding of everything that is hashed: JSON with sorted keys, no white space, UTF-8.
//!
//! Floats have no place in it: see [`crate::base::fixed`].

mod digest_sum;
mod encoded;
mod hashing;
mod serializer;

pub use digest_sum::DigestSum;
pub(crate) use encoded::Encoded;
pub use hashing::Hashing;
pub(crate) use serializer::{Fractions, to_canonical_with};
pub(crate) use serializer::{NotCanonical, canonical_digest, to_canonical};

use serde::Serializer;
use serde_json::Value;

/// A BLAKE3 hash, of 32 bytes. Files and traces show it in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The hash of the canonical encoding of `value`.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        Self::of_bytes(canonical_json(value).as_bytes())
    }

    /// The hash of bytes just as they are, without any encoding.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The hash in lower-case hexadecimal: 64 characters.
    #[must_use]
    pub fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// Writes it in hexadecimal, for serde's `serialize_with`.
    pub(crate) fn serialize_hex<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_hex())
    }

    /// The hash with this hexadecimal form; `None` when the text is not the hexadecimal form of a hash.
    #[must_use]
    pub fn from_hex(hex: &str) -> Option<Self> {
        let hash = blake3::Hash::from_hex(hex).ok()?;
        Some(Self(*hash.as_bytes()))
    }

    /// The first eight bytes as a number, the lowest byte first.
    #[must_use]
    pub fn to_u64(self) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(bytes)
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// Writes `value` with sorted keys and no white space, whatever order its maps were built in.
#[must_use]
pub(crate) fn canonical_json(value: &Value) -> String {
    // Every tree has a canonical form: its keys are texts, and there are no bytes in it.
    to_canonical_with(value, Fractions::AsNumber).unwrap_or_default()
}

/// Draws a number from what it decides, never from hidden state.
///
/// The same seed, purpose and keys give the same number on every machine.
#[must_use]
pub(crate) fn draw(seed: u64, purpose: &str, keys: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    for part in std::iter::once(&purpose).chain(keys) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Digest(*hasher.finalize().as_bytes()).to_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_at_every_depth() {
        let value = json!({"b": [{"z": 1, "a": null}], "a": "x\n"});
        assert_eq!(
            canonical_json(&value),
            r#"{"a":"x\n","b":[{"a":null,"z":1}]}"#
        );
    }

    #[test]
    fn a_draw_depends_on_every_part_and_on_their_borders() {
        let base = draw(7, "roll", &["ab", "c"]);
        assert_eq!(base, draw(7, "roll", &["ab", "c"]));
        for other in [
            draw(8, "roll", &["ab", "c"]),
            draw(7, "rolls", &["ab", "c"]),
            draw(7, "roll", &["a", "bc"]),
            draw(7, "roll", &["ab"]),
        ] {
            assert_ne!(base, other);
        }
    }
}
