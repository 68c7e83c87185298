//! No code copies a seam: an engine has only one.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let _ = seam.clone(); //~ E0599 no method named `clone` found for struct `SealedSeam`
}
