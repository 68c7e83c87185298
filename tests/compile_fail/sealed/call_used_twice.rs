//! No code uses one call twice.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let call = seam.call();
    let _ = call.propose(b"first");
    let _ = call.propose(b"second"); //~ E0382 use of moved value: `call`
}
