//! No code compares proposal bytes.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _ = bytes == seam.call().propose(b""); //~ E0369 binary operation `==` cannot be applied to type `ProposalBytes`
}
