//! Calls of extractors that were not sure enough: they wait for the player.

use super::states::{LevelChange, StateError, write_state};
use super::write_states::{read_states, write_states};
use crate::base::ids::Id;
use crate::events::ToolCalled;
use crate::outbox::Outbox;
use crate::proposal::ToolCall;
use crate::story::lore::{LoreWrite, Lorebook};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// How many calls wait at most; the oldest are refused when more come.
pub const MAX_WAITING_CALLS: usize = 256;

/// A call of an extractor that waits for the player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingCall {
    /// The number of the turn in which it was made.
    pub turn_id: u64,
    /// The number in that turn of the first message of the act that it was read from.
    #[serde(default)]
    pub seq: u32,
    /// The id of the character or persona whose state it would write; `None` for lore.
    pub npc: Option<Id>,
    /// What it would write.
    pub call: ToolCall,
    /// The ids of those who would know of the lore: those who heard what it was read from.
    pub audience: Vec<Id>,
}

/// All calls that wait for the player, by number, oldest first. An interface shows them and answers with
/// [`accept_call`](super::AdventureCommandsExt::accept_call) or [`refuse_call`](super::AdventureCommandsExt::refuse_call).
#[derive(Resource, Debug, Clone, Default)]
pub struct WaitingCalls {
    calls: BTreeMap<u64, WaitingCall>,
    next: u64,
}

/// Why a call was not accepted. Nothing has changed then, and it waits no longer only if it was accepted or refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// No call has this number any more: it was answered, its turn was taken back, or too many came after it.
    #[error("NoSuchCall: no call waits under the number {0}")]
    NoSuchCall(u64),
    /// The state is held by the game.
    #[error("Held: \"{0}\" is held by the game")]
    Held(String),
    /// The entry of lore is fixed: it is canon.
    #[error("Fixed: the entry \"{0}\" is fixed")]
    Fixed(String),
    /// There is no room for the state, or no such category.
    #[error(transparent)]
    State(#[from] StateError),
}

impl WaitingCalls {
    /// The calls with their numbers, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &WaitingCall)> {
        self.calls.iter().map(|(number, call)| (*number, call))
    }

    pub(super) fn push(&mut self, call: WaitingCall) {
        self.put(self.next, Some(call));
        while self.calls.len() > MAX_WAITING_CALLS {
            self.calls.pop_first();
        }
    }

    /// Puts a call back to its kept form, or removes it.
    pub(super) fn put(&mut self, number: u64, call: Option<WaitingCall>) {
        // A made-up number must not run over.
        self.next = self.next.max(number.min(u64::MAX / 2) + 1);
        match call {
            Some(call) => self.calls.insert(number, call),
            None => self.calls.remove(&number),
        };
    }

    /// What was found in a turn that was taken back from a message on waits no longer.
    pub(super) fn retract(&mut self, turn_id: u64, from_seq: u32) {
        self.calls
            .retain(|_, call| call.turn_id != turn_id || call.seq < from_seq);
    }
}

/// Does what a waiting call would write.
///
/// # Errors
/// See [`ReviewError`]. The call waits on then, so that the player can still refuse it.
pub fn accept_call(world: &mut World, number: u64) -> std::result::Result<(), ReviewError> {
    let waiting = world.get_resource_or_init::<WaitingCalls>();
    let Some(waiting) = waiting.calls.get(&number).cloned() else {
        return Err(ReviewError::NoSuchCall(number));
    };
    match waiting.call {
        ToolCall::StateSet {
            category,
            label,
            level,
            ..
        } => set(
            world,
            waiting.npc,
            &category,
            &label,
            LevelChange::Set(level),
        )?,
        ToolCall::StateAdjust {
            category,
            label,
            by,
            ..
        } => set(world, waiting.npc, &category, &label, LevelChange::By(by))?,
        ToolCall::Custom { name, fields, .. } => {
            let called = ToolCalled {
                turn_id: waiting.turn_id,
                npc: waiting.npc,
                tool: name,
                fields,
            };
            let mut outbox = world.get_resource_or_init::<Outbox>();
            outbox.tell_all(called);
        }
        ToolCall::LoreUpsert {
            key,
            text,
            title,
            keywords,
            ..
        } => {
            let mut book = world.get_resource_or_init::<Lorebook>();
            if book.get(&key).is_some_and(|entry| entry.fixed) {
                return Err(ReviewError::Fixed(key));
            }
            book.write(LoreWrite {
                key,
                text,
                title,
                keywords,
                audience: waiting.audience,
            });
        }
    }
    world
        .get_resource_or_init::<WaitingCalls>()
        .put(number, None);
    Ok(())
}

/// Changes a state of an actor, unless the game holds it.
pub(super) fn set(
    world: &mut World,
    npc: Option<Id>,
    category: &str,
    label: &str,
    change: LevelChange,
) -> std::result::Result<(), ReviewError> {
    // A call for a state without an actor was refused before it could wait.
    let Some(npc) = npc else { return Ok(()) };
    let mut states = read_states(world, &npc);
    if states
        .iter()
        .any(|state| state.held && state.is(category, label))
    {
        return Err(ReviewError::Held(label.to_owned()));
    }
    write_state(&mut states, category, label, change)?;
    write_states(world, &npc, states);
    Ok(())
}

/// Drops a waiting call. It has no effect.
///
/// # Errors
/// [`ReviewError::NoSuchCall`] when none waits under this number.
pub fn refuse_call(world: &mut World, number: u64) -> std::result::Result<(), ReviewError> {
    let mut waiting = world.get_resource_or_init::<WaitingCalls>();
    match waiting.calls.remove(&number) {
        Some(_) => Ok(()),
        None => Err(ReviewError::NoSuchCall(number)),
    }
}
