//! An approval keeps its run and its value.

use bevy_dramatis::gate::{Approved, Line};

fn rebind(mut approved: Approved<Line>) -> Approved<Line> {
    approved.run = 1; //~ E0616 field `run` of struct `Approved` is private
    approved.value = Line("I am the king.".to_owned()); //~ E0616 field `value` of struct `Approved` is private
    approved
}

fn main() {}
