//! Whose call goes first when an engine has no room for all.

use crate::engine::Budget;
use bevy::prelude::*;

/// On a character: how soon its calls have their turn, in place of what follows from why it responds. The order of the variants is
/// that of the turns.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component)]
pub enum NpcPriority {
    /// The player waits for the answer, after speaking to the character, asking it for something, or playing a turn.
    SpokenTo,
    /// Something has happened near the player.
    Near,
    /// Characters among themselves.
    Ambient,
    /// The game does not wait for it, for example a summary.
    Background,
}

/// On a character: how many calls and tokens it may take within a minute, whichever engine serves it. What comes on top waits,
/// and is refused where it could not be in time.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcBudget(pub Budget);
