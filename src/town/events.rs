//! What the game is told of the days of its characters.

use crate::base::ids::Id;
use crate::world::ReasonCode;
use bevy::prelude::*;

/// A character cannot get where its routine wants it to be. It is sent once for each denied step of an entry; the character tries again
/// each minute of game time.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoutineBlocked {
    /// The character.
    #[event_target]
    pub entity: Entity,
    /// Its id.
    pub npc: Id,
    /// The location that the denied step leads to; where no way leads there at all, the place of the entry.
    pub to: Id,
    /// Why: what the rulebook said, or [`ReasonCode::NotFound`] where there is no way.
    pub reason: ReasonCode,
}
