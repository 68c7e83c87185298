//! Only a seam makes calls.

use bevy_dramatis::engine::sealed::SealedCall;

fn main() {
    let call = SealedCall::default();
    let _ = call.propose(b"anything");
}
