//! Replay: everything but the model happens again, and every record is compared with the one that was written down.
//!
//! The recording is played through the same plugin, in a separate app. Its inputs are fed in one by one; each step of a run
//! happens when just as many records have been replayed as had been written when it happened first. The replay asks the recorded
//! game for nothing except its actions, conditions, rules and checks in Rust, which `configure` adds.

mod app;
mod comparing;
mod past;
mod player;
#[cfg_attr(
    not(any(feature = "cli", feature = "inspector")),
    allow(
        dead_code,
        reason = "the command line and the inspector alone ask for it"
    )
)]
pub(crate) mod regate;
mod report;
mod schedule;

pub(crate) use past::PastGame;
pub use report::ReplayReport;

use crate::journal::recording::Recorded;
use crate::journal::recording::error::ReplayError;
use bevy::prelude::App;
use player::Player;

/// Replays a recording. `configure` adds what the recorded game added to its app: actions, conditions, rules, checks,
/// guards; none of its systems.
///
/// # Errors
/// See [`ReplayError`].
pub fn replay(
    recording: &dyn Recorded,
    configure: &dyn Fn(&mut App),
) -> Result<ReplayReport, ReplayError> {
    Player::new(recording, configure)?.play_all()
}

/// Replays a recording up to a record, and shows the game as it was after it. Runs in flight then go on no further. `last`
/// beyond the end counts as the last record. The whole recording must be readable: it is looked through first. `configure` is as
/// in [`replay`].
///
/// # Errors
/// See [`ReplayError`].
pub(crate) fn game_after(
    recording: &dyn Recorded,
    last: u64,
    configure: &dyn Fn(&mut App),
) -> Result<PastGame, ReplayError> {
    Player::new(recording, configure)?.play_until(last)
}
