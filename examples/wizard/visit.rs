//! What happens in the scripted visit, and what must hold in between.

use crate::cast;
use bevy_dramatis::adventure::{Message, MessageType, Stream};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Placement, WorldState};

/// Bryn comes in at eight in the evening, an hour of the tower's day after the beginning (`assets/tower.story.ron`), and goes an
/// hour later.
pub const VISIT_OF_BRYN: [GameTime; 2] = [GameTime(75_000), GameTime(150_000)];

/// A step of the visit.
pub enum Step {
    /// The traveller knocks.
    Knock,
    /// The traveller says something, or does something after a `>`.
    Enter(&'static str),
    /// The traveller was asked which one is meant, and answers with its id.
    Answer(&'static str),
    /// A storm rises, and throws the bar as soon as the wizard thinks; or it dies down.
    Weather,
    /// The traveller asks for something that takes a plan, and says yes to it; and what is taken away meanwhile.
    Wish(&'static str, Option<&'static str>),
    /// Bryn comes in, talks with the wizard, and goes again.
    BrynComesIn,
    /// The traveller does something, and it is told.
    Tell(&'static str),
    /// What was told last is taken back.
    Undo,
    /// By now the stream must hold this.
    CheckTale(&'static str, fn(&Stream) -> bool),
    /// By now this must hold.
    Check(&'static str, fn(&WorldState) -> bool),
}
use Step::{Answer, BrynComesIn, Check, CheckTale, Enter, Knock, Tell, Undo, Weather, Wish};

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
pub fn is(world: &WorldState, thing: &str, what: &str) -> bool {
    let thing = world.entities.get(thing);
    let value = thing.and_then(|thing| thing.attributes.get(what));
    value.is_some_and(WorldValue::truthy)
}

fn count(world: &WorldState, thing: &str, what: &str) -> i64 {
    let thing = world.entities.get(thing);
    match thing.and_then(|thing| thing.attributes.get(what)) {
        Some(WorldValue::Int(number)) => *number,
        _ => 0,
    }
}

fn count_narrations<'a>(messages: impl Iterator<Item = &'a Message>) -> usize {
    let told = messages.filter(|message| message.kind == MessageType::Narration);
    told.count()
}

fn lies_in(world: &WorldState, thing: &str, place: &str) -> bool {
    let thing = world.entities.get(thing);
    matches!(thing.map(|thing| &thing.at), Some(Placement::In(at)) if at == place)
}

pub fn has(world: &WorldState, who: &str, thing: &str) -> bool {
    let thing = world.entities.get(thing);
    matches!(thing.map(|thing| &thing.at), Some(Placement::CarriedBy(by)) if by == who)
}

pub fn is_in(world: &WorldState, place: &str) -> bool {
    lies_in(world, cast::PLAYER, place)
}
