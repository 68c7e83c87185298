//! A bound engine stays.

use bevy_dramatis::engine::sealed::SealedSeam;

fn main() {
    let mut seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    seam.bind(|_: &[u8]| b"other".to_vec());
    seam.set_engine(|_: &[u8]| b"other".to_vec());
    seam.0.engine = None;
}
