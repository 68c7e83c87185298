//! The hash of many things as a sum, so that a change costs no more than the thing that it changes.

use super::Digest;

/// The sum of the hashes of many things: it depends on no order, and what changes is taken out as it was and added as it
/// is. Hashes are summed as four numbers of 64 bits that wrap around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DigestSum([u64; 4]);

impl DigestSum {
    /// The sum with these four numbers.
    #[cfg(any(test, feature = "store"))]
    #[must_use]
    pub const fn new(lanes: [u64; 4]) -> Self {
        Self(lanes)
    }

    /// Adds the hash of something that is there from now on.
    pub fn add(&mut self, digest: Digest) {
        self.combine(digest, u64::wrapping_add);
    }

    /// Takes out the hash of something that is gone. It must be the hash with which it was added.
    pub fn remove(&mut self, digest: Digest) {
        self.combine(digest, u64::wrapping_sub);
    }

    fn combine(&mut self, digest: Digest, combine: fn(u64, u64) -> u64) {
        for (lane, bytes) in self.0.iter_mut().zip(digest.0.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            *lane = combine(*lane, u64::from_le_bytes(word));
        }
    }

    /// The four numbers, lowest bytes of the hashes first.
    #[must_use]
    pub fn lanes(self) -> [u64; 4] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_forgets_the_order_and_what_was_taken_out() {
        let [a, b, c] = ["a", "b", "c"].map(|text| Digest::of_bytes(text.as_bytes()));
        let (mut there, mut back) = (DigestSum::default(), DigestSum::default());
        there.add(a);
        there.add(b);
        there.add(c);
        back.add(c);
        back.add(b);
        assert_ne!(there, back);
        there.remove(a);
        assert_eq!(there, back);
        assert_eq!(DigestSum::new(there.lanes()), there);
        there.remove(b);
        there.remove(c);
        assert_eq!(there, DigestSum::default());
    }
}
