//! Which character's call goes first when an engine cannot take all calls at once.

use crate::engine::Budget;
use bevy::prelude::*;

/// On a character: the priority of its calls, in place of the one that follows from the reason of its request. Calls with an
/// earlier variant go first.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component)]
pub enum NpcPriority {
    /// The player waits for the answer, after speaking to the character, asking it for something, or playing a turn.
    SpokenTo,
    /// Something has happened near the player.
    Near,
    /// Characters talk among themselves.
    Ambient,
    /// The game does not wait for it, for example a summary.
    Background,
}

/// On a character: how many calls and tokens it may take within a minute, whichever engine serves it. Calls beyond that wait,
/// and are refused where they could not be in time.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcBudget(pub Budget);
