//! No code looks into proposal bytes: a program takes them out whole or not at all.

use bevy_dramatis::engine::SealedSeam;

fn main() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    let _: &[u8] = &bytes; //~ E0308 mismatched types
    let _: &[u8] = bytes.as_ref(); //~ E0599 no method named `as_ref` found for struct `ProposalBytes`
}
