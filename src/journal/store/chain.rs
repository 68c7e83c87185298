//! The two hashes of a journal: the sum of the state, and the chain of the entries. Both are BLAKE3, and every text in
//! them but the body stands behind its length, so that no two lists of texts look alike.
//!
//! - The hash of a state row is made of its kind, its key and its value. The sum adds the hashes of all rows, each as
//!   four numbers of 64 bits that wrap around.
//! - The hash of an entry is made of the hash of the entry before it (zeros for the first), the sum of the state after
//!   it, its number, kind, time and subject, and its body as it was given.

use super::error::StoreProblem;

/// A BLAKE3 hash.
pub(super) type Hash = [u8; 32];

/// What the first entry follows.
pub(super) const NO_ENTRY: Hash = [0; 32];

/// The sum of the hashes of all state rows.
///
/// Adding and removing a row are one step each, in any order, so that a commit need not read the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StateSum([u64; 4]);

impl StateSum {
    /// Counts a row in.
    pub(super) fn add(&mut self, kind: &str, key: &str, value: &str) {
        self.each_lane(&row_hash(kind, key, value), u64::wrapping_add);
    }

    /// Takes a row out.
    pub(super) fn remove(&mut self, kind: &str, key: &str, value: &str) {
        self.each_lane(&row_hash(kind, key, value), u64::wrapping_sub);
    }

    fn each_lane(&mut self, hash: &Hash, change: fn(u64, u64) -> u64) {
        for (lane, part) in self.0.iter_mut().zip(lanes(hash)) {
            *lane = change(*lane, part);
        }
    }

    /// As it is stored: four little-endian numbers.
    pub(super) fn to_bytes(self) -> Hash {
        let mut bytes = [0; 32];
        for (place, lane) in bytes.chunks_exact_mut(8).zip(self.0) {
            place.copy_from_slice(&lane.to_le_bytes());
        }
        bytes
    }

    /// As it was stored.
    pub(super) fn from_bytes(bytes: &Hash) -> Self {
        let mut sum = Self::default();
        for (lane, part) in sum.0.iter_mut().zip(lanes(bytes)) {
            *lane = part;
        }
        sum
    }
}

fn lanes(bytes: &Hash) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|chunk| {
        let mut lane = [0; 8];
        lane.copy_from_slice(chunk);
        u64::from_le_bytes(lane)
    })
}

fn row_hash(kind: &str, key: &str, value: &str) -> Hash {
    let mut hasher = blake3::Hasher::new();
    for part in [kind, key, value] {
        with_length(&mut hasher, part);
    }
    *hasher.finalize().as_bytes()
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
    /// Whom it is about.
    pub subject: Option<&'a str>,
    /// Its body as it was given, not as it is stored.
    pub body: &'a str,
}

impl Link<'_> {
    /// The hash of the entry that follows `previous`.
    pub(super) fn hash(&self, previous: &Hash) -> Hash {
        let mut hasher = self.begun(previous);
        match self.subject {
            Some(subject) => with_length(&mut hasher, subject),
            // No text is that long, so that none equals the missing one.
            None => {
                hasher.update(&u64::MAX.to_le_bytes());
            }
        }
        hasher.update(self.body.as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// The same in format 1, which had no subjects and left them out of the hash.
    pub(super) fn hash_1(&self, previous: &Hash) -> Hash {
        let mut hasher = self.begun(previous);
        hasher.update(self.body.as_bytes());
        *hasher.finalize().as_bytes()
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
        sum: StateSum([1, 2, 3, 4]),
        seq: 1,
        kind: "turn",
        game_ms: 5,
        subject: None,
        body: "{}",
    };

    #[test]
    fn a_sum_forgets_the_order_and_what_was_taken_out() {
        let mut there = StateSum::default();
        there.add("a", "b", "c");
        there.add("a", "bc", "");
        there.add("x", "y", "z");
        let mut back = StateSum::default();
        back.add("x", "y", "z");
        back.add("a", "bc", "");
        assert_ne!(there, back);
        there.remove("a", "b", "c");
        assert_eq!(there, back);
        assert_eq!(StateSum::from_bytes(&there.to_bytes()), there);
        there.remove("x", "y", "z");
        there.remove("a", "bc", "");
        assert_eq!(there, StateSum::default());
    }

    #[test]
    fn a_link_depends_on_every_part_and_on_their_borders() {
        let base = LINK.hash(&NO_ENTRY);
        for other in [
            Link { seq: 2, ..LINK },
            Link {
                kind: "tur",
                body: "n{}",
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
                body: "}",
                ..LINK
            },
            Link {
                body: "{ }",
                ..LINK
            },
            Link {
                sum: StateSum::default(),
                ..LINK
            },
        ] {
            assert_ne!(base, other.hash(&NO_ENTRY));
        }
        assert_ne!(base, LINK.hash(&[1; 32]));
        assert_ne!(base, LINK.hash_1(&NO_ENTRY));
    }
}
