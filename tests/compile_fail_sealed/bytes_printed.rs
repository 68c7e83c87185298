//! Proposal bytes do not show what they are.

use bevy_dramatis::engine::sealed::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _ = format!("{bytes}");
    let _ = bytes.to_string();
}
