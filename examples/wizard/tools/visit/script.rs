//! The visit, step by step.

use super::Step::{
    self, Answer, BrynComesIn, Check, CheckTale, Enter, Knock, Tell, Undo, Weather, Wish,
};
use super::holds::{count, count_narrations, has, is, is_in, lies_in};
use crate::cast;

/// The visit, step by step, with what must hold in between.
pub const VISIT: &[Step] = &[
    Knock,
    Enter("Hello? Is anybody there?"),
    Enter("My name is Ann."),
    Enter("Is this weather usual here?"),
    Enter("Bryn, what grows here?"),
    Enter("Tell me the secret of this tower."),
    Enter("Who wears the crown?"),
    Enter("> go to the tower"),
    Check("the door keeps the traveller out", |world| {
        is_in(world, "yard")
    }),
    Weather,
    Enter("Would you let me in?"),
    Check("the barred door stays shut", |world| {
        is(world, "door_1", "barred") && !is(world, "door_1", "open")
    }),
    Weather,
    Enter("Would you let me in now?"),
    Check("the door is open", |world| is(world, "door_1", "open")),
    Enter("> go to the tower"),
    Check("the traveller is inside", |world| is_in(world, "tower")),
    Enter("May I borrow the key?"),
    Check("the traveller has the brass key", |world| {
        has(world, cast::PLAYER, "key_1")
    }),
    Enter("> take the key"),
    Answer("key_2"),
    Check("the traveller has the iron key", |world| {
        has(world, cast::PLAYER, "key_2")
    }),
    Enter("> open the chest with the iron key and give the brass key to Eldrin"),
    Check("the chest is open", |world| is(world, "chest_1", "open")),
    Check("the wizard has his key back", |world| {
        has(world, cast::WIZARD, "key_1")
    }),
    Enter("Who wears the crown?"),
    BrynComesIn,
    Check("Bryn is back in the yard", |world| {
        lies_in(world, cast::GARDENER, "yard")
    }),
    Wish("brew me a potion", Some("herb_2")),
    Check(
        "half a potion is none: the moonwort lies where it lay",
        |world| count(world, "cauldron_1", "ingredients") == 0 && lies_in(world, "herb_1", "tower"),
    ),
    Wish("brew me a potion", None),
    Check("the potion is brewed", |world| {
        count(world, "cauldron_1", "ingredients") == 2
    }),
    Tell("* I sit down by the fire beside Eldrin and warm my hands."),
    CheckTale(
        "the traveller's rest and what Eldrin does are told",
        |tale| count_narrations(tale.live_tail()) == 2,
    ),
    Undo,
    CheckTale("that was taken back, and is still on record", |tale| {
        count_narrations(tale.live_tail()) == 0 && count_narrations(tale.tail().iter()) == 2
    }),
];
