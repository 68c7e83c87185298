//! What if? Other replies and other rules for a recording, judged once more without a model.
//!
//! The journal's panel shows the raw replies of a recorded run or of the stages of a told turn, and the files of its character and its story with those that they
//! name, such as the rulebook, to be edited. Of a plan its steps can be edited; a turn of an actor
//! is judged by other rules alone. The whole recording is
//! then judged again ([`regate`](mod@crate::replay::regate)) on a thread of its own, and both verdicts
//! stand beside each other. What came out can be saved as a scenario. Nothing of it changes the game.

mod judged_record;
mod judging;
mod panel;
mod save;
mod shown;
mod state;

pub use judged_record::JudgedRecord;
pub use judging::ReplayConfigure;
pub(super) use panel::what_if_ui;
pub use state::WhatIf;
