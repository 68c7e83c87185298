//! Whose call goes first when an engine has no room for all.

use crate::engine::Budget;
use bevy::prelude::*;

/// How soon a call has its turn. The order of the variants is that of the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub enum CallPriority {
    /// Somebody waits for the answer: the player speaks to the character, has asked it for something, or plays a turn.
    SpokenTo,
    /// Something has happened near the player.
    Near,
    /// Characters among themselves.
    Ambient,
    /// Nobody waits for it, such as a summary.
    Background,
}

/// On a character: the priority of its calls, in place of the one that follows from why it responds.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcPriority(pub CallPriority);

/// On a character: how many calls and tokens it may take within a minute, whichever engine serves it. What comes on top waits,
/// and is refused where it could not be in time.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcBudget(pub Budget);
