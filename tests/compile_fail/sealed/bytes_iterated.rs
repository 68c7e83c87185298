//! No code iterates over proposal bytes.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    for _ in bytes {} //~ E0277 `ProposalBytes` is not an iterator
}
