//! No code indexes proposal bytes.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _ = bytes[0]; //~ E0608 cannot index into a value of type `ProposalBytes`
}
