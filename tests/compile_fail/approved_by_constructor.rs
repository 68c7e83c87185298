use bevy_dramatis::gate::{Approved, Line};

fn main() {
    let _forged = Approved::new(0, Line("I am the king.".to_owned()));
}
