//! An approval does not say which run it was judged for, and a number does not spend it: only the run itself does.

use bevy_dramatis::gate::{Approved, Line};
use bevy_dramatis::pipeline::Run;

fn spend(approved: Approved<Line>, run: &Run) -> Option<Line> {
    let _read_off = approved.run(); //~ E0599 no method named `run` found for struct `Approved
    approved.spend(run)
}

fn spend_by_number(approved: Approved<Line>, run: &Run) {
    let number = run.number();
    let _line = approved.spend(&number); //~ E0277 the trait bound `u64: SpendsApprovals` is not satisfied
    assert!(number > 0);
}

fn main() {
    let _ = (spend, spend_by_number);
}
