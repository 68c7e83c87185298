//! Nobody peeks: bytes are taken out whole or not at all.

use bevy_dramatis::engine::sealed::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _: &[u8] = &bytes;
    let _: &[u8] = bytes.as_ref();
}
