//! What if? Other replies and other rules for a recording, judged once more without a model.
//!
//! The journal's panel shows the raw replies of a recorded run or of the stages of a told turn. It also shows the files of
//! its character and its story, with the files that they name, such as the rulebook. All of them can be edited. Of a plan the
//! steps can be edited; for a turn of an actor only the rules. The whole recording is then judged again
//! (`regate`) on its own thread, and the panel shows both verdicts next to each other. The
//! result can be saved as a scenario. Nothing of it changes the game.

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
