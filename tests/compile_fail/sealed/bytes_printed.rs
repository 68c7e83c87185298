//! No code prints proposal bytes.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _ = format!("{bytes}"); //~ E0277 `ProposalBytes` doesn't implement `std::fmt::Display`
    let _ = bytes.to_string(); //~ E0599 `ProposalBytes` doesn't implement `std::fmt::Display`
}
