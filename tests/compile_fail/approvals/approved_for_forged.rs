//! What an approval is judged for is said by the run, the turn or the plan itself: nothing else can be in its place.

use bevy_dramatis::gate::{ApprovedFor, SpendsApprovals};
use bevy_dramatis::pipeline::Run;

struct Forged(ApprovedFor);

impl SpendsApprovals for Forged {
    fn approved_for(&self) -> ApprovedFor {
        self.0
    }
}

fn forge(run: &Run) -> Forged {
    let _of_number = Forged(ApprovedFor::run(7)); //~ E0624 associated function `run` is private
    let _of_turn = Forged(ApprovedFor::adventure_turn(7)); //~ E0624 associated function `adventure_turn` is private
    let _of_plan = Forged(ApprovedFor::plan(7)); //~ E0624 associated function `plan` is private
    Forged(run.approved_for())
}

fn main() {
    let _ = forge;
}
