//! The world as it was: a recording is replayed up to the chosen record, on its own thread, and the inspector shows what was
//! different then. The game does not change.

mod differences;
mod panel;
mod state;

pub(super) use panel::past_ui;
pub(super) use state::Past;
