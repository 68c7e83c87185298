//! Only the gate makes approvals: the fields are private.

use bevy_dramatis::gate::{Approved, Line};

fn main() {
    let line = Line("I am the king.".to_owned());
    let _forged = Approved { value: line, owner: 0 }; //~ E0451 fields `value` and `owner` of struct `Approved` are private
}
