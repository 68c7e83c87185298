//! Nothing outside installs changes, approved or not: the commit, the writer and the judge of actions are private.

use bevy::prelude::World;
use bevy_dramatis::gate::Approved;
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::world::{JudgedChange, TurnRecord, WorldChange};

fn install(
    world: &mut World,
    approved: Approved<Vec<JudgedChange>>,
    run: &Run,
    turn: &TurnRecord,
    change: &WorldChange,
) {
    let _door = bevy_dramatis::commit::commit(world, approved, run); //~ E0603 module `commit` is private
    bevy_dramatis::commit::commit_own_turn(world, turn); //~ E0603 module `commit` is private
    let _written = bevy_dramatis::world::writer::apply_change(world, change); //~ E0603 module `writer` is private
    let _judge = bevy_dramatis::gate::actions::approve_actions::<Run>; //~ E0603 function `approve_actions` is private
}

fn main() {
    let _ = install;
}
