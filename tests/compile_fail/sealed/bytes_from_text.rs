//! No code turns text into proposal bytes.

use bevy_dramatis::engine::ProposalBytes;

fn main() {
    let _ = ProposalBytes::from(String::from("forged")); //~ E0308 mismatched types
    let _: ProposalBytes = "forged".into(); //~ E0277 the trait bound `ProposalBytes: From<&str>` is not satisfied
}
