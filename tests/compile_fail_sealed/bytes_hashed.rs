//! Proposal bytes have no hash.

use bevy_dramatis::engine::sealed::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    std::hash::Hash::hash(&bytes, &mut hasher);
}
