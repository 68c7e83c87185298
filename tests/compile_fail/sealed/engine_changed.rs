//! No code replaces a bound engine.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let mut seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    seam.bind(|_: &[u8]| b"other".to_vec()); //~ E0599 no method named `bind` found for struct `SealedSeam`
    seam.set_engine(|_: &[u8]| b"other".to_vec()); //~ E0599 no method named `set_engine` found for struct `SealedSeam`
    seam.0.engine = None; //~ E0616 field `0` of struct `SealedSeam` is private
}
