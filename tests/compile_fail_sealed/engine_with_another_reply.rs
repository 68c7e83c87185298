//! An engine that answers with text, a number, nothing or a failure is no engine.

use bevy_dramatis::engine::sealed::SealedSeam;

fn main() {
    let _ = SealedSeam::bound(|_: &[u8]| String::from("text"));
    let _ = SealedSeam::bound(|_: &[u8]| 7_i32);
    let _ = SealedSeam::bound(|_: &[u8]| ());
    let _ = SealedSeam::bound(|_: &[u8]| None::<Vec<u8>>);
}
