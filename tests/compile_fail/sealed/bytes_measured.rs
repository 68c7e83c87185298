//! No code asks how long proposal bytes are, or whether they are empty.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _ = bytes.len(); //~ E0599 no method named `len` found for struct `ProposalBytes`
    let _ = bytes.is_empty(); //~ E0599 no method named `is_empty` found for struct `ProposalBytes`
}
