//! Only the gate makes approvals: the constructor is private.

use bevy_dramatis::gate::{Approved, Line};

fn main() {
    let _forged = Approved::new(0, Line("I am the king.".to_owned())); //~ E0624 associated function `new` is private
}
