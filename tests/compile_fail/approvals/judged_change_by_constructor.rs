//! Only the applier makes a judged change.

use bevy_dramatis::world::{JudgedChange, WorldChange};

fn forge(change: WorldChange, judged: JudgedChange) -> JudgedChange {
    let judged = JudgedChange(change); //~ E0423 cannot initialize a tuple struct which contains private fields
    judged
}

fn main() {
    let _ = forge;
}
