//! No code copies a call to use it twice.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let call = seam.call();
    let _ = call.clone(); //~ E0599 no method named `clone` found for struct `SealedCall`
    let _ = call.propose(b"first");
}
