//! The two clocks, of the game and of calls.
//!
//! **Game time** drives memory, rules and snapshots; **call time** drives deadlines and a character's silence.
//! By default they follow Bevy's virtual and real time. A test or a scenario drives them by hand.

use crate::base::fixed::Millis;
use crate::base::time::{CallTime, GameTime};
use bevy::prelude::*;

/// The time on the two clocks, in whole milliseconds. The plugin writes it at the beginning of each frame, from Bevy's times;
/// with [`ManualClock`], the code that inserted that resource writes it.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource)]
pub struct DramatisClock {
    /// Game time since the beginning of the game, loaded ones included. It stops while the game is paused.
    pub game: GameTime,
    /// Call time since the program started. It goes on while the game is paused.
    pub call: CallTime,
}

/// While this resource exists, only the code that inserted it moves [`DramatisClock`].
#[derive(Resource, Debug, Clone, Copy, Default, Reflect)]
#[reflect(Resource)]
pub struct ManualClock;

/// What is added to Bevy's virtual time to get game time: a loaded game goes on at its own time.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GameTimeOffset(pub Millis);
