//! Events about the days of characters.

use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::world::ReasonCode;
use bevy::prelude::*;

/// What the player could say to a character, as [`TownCommandsExt`](crate::town::TownCommandsExt) has asked for.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct LinesOffered {
    /// The character that the player could say them to.
    #[event_target]
    pub entity: Entity,
    /// The id of the character.
    pub npc: Id,
    /// Up to four lines of at most 80 characters. Empty: no reply could be used.
    pub lines: Vec<String>,
}

/// A character has told another what it remembers.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct NewsTold {
    /// The character that was told.
    #[event_target]
    pub entity: Entity,
    /// The id of the character that told it.
    pub from: Id,
    /// The id of the character that was told.
    pub to: Id,
    /// The id of the character that was there, and the id of its episode.
    pub origin: (Id, String),
    /// How many characters have passed it on, `from` included.
    pub hops: u32,
    /// When, in game time.
    pub time: GameTime,
}

/// A character cannot get where its routine wants it to be. It is sent once for each denied step of an entry; the character tries again
/// each minute of game time.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct RoutineBlocked {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character.
    pub npc: Id,
    /// The location that the denied step leads to; where no way leads there at all, the place of the entry.
    pub to: Id,
    /// Why: what the rulebook said, or [`ReasonCode::NotFound`] where there is no way.
    pub reason: ReasonCode,
}
