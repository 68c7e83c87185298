//! No code uses proposal bytes as a condition.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    if bytes {} //~ E0308 mismatched types
}
