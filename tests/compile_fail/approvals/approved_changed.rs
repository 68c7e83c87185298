//! An approval keeps its value and what it was judged for.

use bevy_dramatis::gate::{Approved, Line, SpendsApprovals};
use bevy_dramatis::pipeline::Run;

fn rebind(mut approved: Approved<Line>, run: &Run) -> Approved<Line> {
    approved.owner = run.approved_for(); //~ E0616 field `owner` of struct `Approved` is private
    approved.value = Line("I am the king.".to_owned()); //~ E0616 field `value` of struct `Approved` is private
    assert!(approved.is_for_run(run.number()) || run.approved_for() != run.approved_for());
    approved
}

fn main() {}
