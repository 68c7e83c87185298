//! The two hashes of a journal: the sum of the state, and the chain of the entries. Both are BLAKE3, and every text in them
//! except the body comes after its length, so that no two lists of texts look alike.
//!
//! - The hash of a state row is made of its kind, its key and its value; that of a kept text of the text alone. The sum adds
//!   the hashes of all rows and of all kept texts, each as four numbers of 64 bits that wrap around.
//! - The hash of an entry is made of the hash of the entry before it (zeros for the first), the sum of the state after
//!   it, its number, kind, time and subject, and its body as it is stored: a check need not unpack anything. Formats 1 and 2
//!   hashed the body as it was given.

use super::error::StoreProblem;
use crate::base::canonical::{Digest, DigestSum};

/// A BLAKE3 hash.
pub(super) type Hash = [u8; 32];

/// What the first entry follows.
pub(super) const NO_ENTRY: Hash = [0; 32];

/// The sum of the hashes of all state rows and of all kept texts.
///
/// Adding and removing one are one step each, in any order, so that a commit need not read the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StateSum(DigestSum);

impl StateSum {
    /// Counts a row in.
    pub(super) fn add(&mut self, kind: &str, key: &str, value: &str) {
        self.0.add(row_hash(kind, key, value));
    }

    /// Takes a row out.
    pub(super) fn remove(&mut self, kind: &str, key: &str, value: &str) {
        self.0.remove(row_hash(kind, key, value));
    }

    /// Counts a kept text in, by its hash.
    pub(super) fn add_text(&mut self, hash: &Hash) {
        self.0.add(Digest(*hash));
    }

    /// Counts in all that another sum counts.
    pub(super) fn add_sum(&mut self, other: Self) {
        let [a, b, c, d] = self.0.lanes();
        let [e, f, g, h] = other.0.lanes();
        let sums = [(a, e), (b, f), (c, g), (d, h)].map(|(one, other)| one.wrapping_add(other));
        self.0 = DigestSum::new(sums);
    }

    /// As it is stored: four little-endian numbers.
    pub(super) fn to_bytes(self) -> Hash {
        let mut bytes = [0; 32];
        for (place, lane) in bytes.chunks_exact_mut(8).zip(self.0.lanes()) {
            place.copy_from_slice(&lane.to_le_bytes());
        }
        bytes
    }

    /// As it was stored.
    pub(super) fn from_bytes(bytes: &Hash) -> Self {
        let mut lanes = [0; 4];
        for (lane, chunk) in lanes.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            *lane = u64::from_le_bytes(word);
        }
        Self(DigestSum::new(lanes))
    }
}

fn row_hash(kind: &str, key: &str, value: &str) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for part in [kind, key, value] {
        with_length(&mut hasher, part);
    }
    Digest(*hasher.finalize().as_bytes())
}

/// What an entry's hash is made of, besides the entry before it.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    /// The sum of the state after the entry.
    pub sum: StateSum,
    /// Its number.
    pub seq: u64,
    /// Its kind.
    pub kind: &'a str,
    /// Its time.
    pub game_ms: i64,
    /// The id of the character or actor that it is about.
    pub subject: Option<&'a str>,
    /// Its body: as it is stored, in formats 1 and 2 as it was given.
    pub body: &'a [u8],
    /// How long its body is when it is not compressed, in bytes.
    pub bytes: u64,
}

impl Link<'_> {
    /// The hash of the entry that follows `previous`.
    pub(super) fn hash(&self, previous: &Hash) -> Hash {
        let mut hasher = self.begun(previous);
        self.add_subject(&mut hasher);
        hasher.update(&self.bytes.to_le_bytes());
        hasher.update(self.body);
        *hasher.finalize().as_bytes()
    }

    /// The same in format 2, of the body as it was given.
    pub(super) fn hash_2(&self, previous: &Hash) -> Hash {
        let mut hasher = self.begun(previous);
        self.add_subject(&mut hasher);
        hasher.update(self.body);
        *hasher.finalize().as_bytes()
    }

    /// The same in format 1, which had no subjects and left them out of the hash.
    pub(super) fn hash_1(&self, previous: &Hash) -> Hash {
        let mut hasher = self.begun(previous);
        hasher.update(self.body);
        *hasher.finalize().as_bytes()
    }

    fn add_subject(&self, hasher: &mut blake3::Hasher) {
        match self.subject {
            Some(subject) => with_length(hasher, subject),
            // No text is that long, so that none equals the missing one.
            None => {
                hasher.update(&u64::MAX.to_le_bytes());
            }
        }
    }

    fn begun(&self, previous: &Hash) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        hasher.update(previous);
        hasher.update(&self.sum.to_bytes());
        hasher.update(&self.seq.to_le_bytes());
        with_length(&mut hasher, self.kind);
        hasher.update(&self.game_ms.to_le_bytes());
        hasher
    }
}

fn with_length(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

/// The hash of a kept text.
pub(super) fn text_hash(text: &str) -> Hash {
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// A hash as a column holds it.
pub(super) fn stored_hash(bytes: &[u8]) -> Result<Hash, StoreProblem> {
    bytes
        .try_into()
        .map_err(|_| StoreProblem::corrupt("a hash has another length"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link<'_> = Link {
        sum: StateSum(DigestSum::new([1, 2, 3, 4])),
        seq: 1,
        kind: "turn",
        game_ms: 5,
        subject: None,
        body: b"{}",
        bytes: 2,
    };

    #[test]
    fn a_sum_counts_rows_and_texts_and_comes_back() {
        let mut sum = StateSum::default();
        sum.add("a", "b", "c");
        let alone = sum;
        sum.add("a", "bc", "");
        assert_eq!(StateSum::from_bytes(&sum.to_bytes()), sum);
        sum.remove("a", "bc", "");
        assert_eq!(sum, alone);
        sum.add_text(&text_hash("c"));
        assert_ne!(sum, alone);
    }

    #[test]
    fn a_link_depends_on_every_part_and_on_their_borders() {
        let base = LINK.hash(&NO_ENTRY);
        for other in [
            Link { seq: 2, ..LINK },
            Link {
                kind: "tur",
                body: b"n{}",
                ..LINK
            },
            Link {
                game_ms: -5,
                ..LINK
            },
            Link {
                subject: Some(""),
                ..LINK
            },
            Link {
                subject: Some("{"),
                body: b"}",
                ..LINK
            },
            Link {
                body: b"{ }",
                ..LINK
            },
            Link { bytes: 3, ..LINK },
            Link {
                sum: StateSum::default(),
                ..LINK
            },
        ] {
            assert_ne!(base, other.hash(&NO_ENTRY));
        }
        assert_ne!(base, LINK.hash(&[1; 32]));
        assert_ne!(base, LINK.hash_1(&NO_ENTRY));
        assert_ne!(base, LINK.hash_2(&NO_ENTRY));
    }
}
