//! No code changes a change that was judged.

use bevy_dramatis::world::{JudgedChange, WorldChange};

fn forge(mut judged: JudgedChange, other: WorldChange) -> JudgedChange {
    judged.0 = other.clone(); //~ E0616 field `0` of struct `JudgedChange` is private
    drop(other);
    judged
}

fn main() {
    let _ = forge;
}
