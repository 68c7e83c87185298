//! What an approval is judged for is no number: its field is private.

use bevy_dramatis::gate::ApprovedFor;

fn main() {
    let _forged = ApprovedFor(7); //~ E0423 cannot initialize a tuple struct which contains private fields
    let _none: Option<ApprovedFor> = None;
}
