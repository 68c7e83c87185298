//! Only the gate makes approvals: the fields are private.

use bevy_dramatis::gate::{Approved, Line, SpendsApprovals};
use bevy_dramatis::pipeline::Run;

fn forge(line: Line, run: &Run) {
    let owner = run.approved_for();
    let _forged = Approved { value: line, owner }; //~ E0451 fields `value` and `owner` of struct `Approved` are private
    assert!(owner == run.approved_for());
}

fn main() {
    let _ = forge;
}
