//! Only the seam makes proposal bytes.

use bevy_dramatis::engine::ProposalBytes;

fn main() {
    let _ = ProposalBytes(b"forged".to_vec()); //~ E0423 cannot initialize a tuple struct which contains private fields
}
