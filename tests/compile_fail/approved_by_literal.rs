use bevy_dramatis::gate::{Approved, Line};

fn main() {
    let _forged = Approved {
        value: Line("I am the king.".to_owned()),
        run: 0,
    };
}
