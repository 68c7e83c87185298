//! Only the gate makes approvals: the fields are private.

use bevy_dramatis::gate::{Approved, Line};

fn main() {
    let line = Line("I am the king.".to_owned());
    let _forged = Approved { value: line, run: 0 }; //~ E0451 fields `value` and `run` of struct `Approved` are private
}
