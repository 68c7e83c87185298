//! What must hold: questions about the world and the tale.

use crate::cast;
use bevy_dramatis::adventure::{Message, MessageType};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Placement, WorldState};

pub fn is(world: &WorldState, thing: &str, what: &str) -> bool {
    let thing = world.entities.get(thing);
    let value = thing.and_then(|thing| thing.attributes.get(what));
    value.is_some_and(WorldValue::truthy)
}

pub(super) fn count(world: &WorldState, thing: &str, what: &str) -> i64 {
    let thing = world.entities.get(thing);
    match thing.and_then(|thing| thing.attributes.get(what)) {
        Some(WorldValue::Int(number)) => *number,
        _ => 0,
    }
}

pub(super) fn count_narrations<'a>(messages: impl Iterator<Item = &'a Message>) -> usize {
    let told = messages.filter(|message| message.kind == MessageType::Narration);
    told.count()
}

pub(super) fn lies_in(world: &WorldState, thing: &str, place: &str) -> bool {
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
