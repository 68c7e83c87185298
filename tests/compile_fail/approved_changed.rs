use bevy_dramatis::gate::{Approved, Line};

fn rebind(mut approved: Approved<Line>) -> Approved<Line> {
    approved.run = 1;
    approved.value = Line("I am the king.".to_owned());
    approved
}

fn main() {}
