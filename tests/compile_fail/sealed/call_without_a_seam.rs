//! Only a seam makes calls.

use bevy_dramatis::engine::SealedCall;

fn main() {
    let _ = SealedCall::default(); //~ E0599 no function or associated item named `default` found for struct `SealedCall`
}
