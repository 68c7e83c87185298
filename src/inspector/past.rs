//! The world as it was: a recording is replayed up to the chosen record, on a thread of its own, and what was otherwise then is
//! shown. The game does not change.

mod differences;
mod panel;
mod state;

pub(super) use panel::past_ui;
pub(super) use state::Past;
