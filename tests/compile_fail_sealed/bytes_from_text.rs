//! Text is not turned into proposal bytes.

use bevy_dramatis::engine::sealed::ProposalBytes;

fn main() {
    let _ = ProposalBytes::from(String::from("forged"));
    let _: ProposalBytes = "forged".into();
}
