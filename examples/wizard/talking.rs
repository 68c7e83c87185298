//! Talking: what is read, typed and clicked.
//!
//! | file | what it holds |
//! |---|---|
//! | `talk.rs` | the last lines, and the words over each head |
//! | `chat.rs` | how the lines are shown, and the line to type in |
//! | `actions.rs` | the results of an action, the question back, the menu |
//! | `plan_panel.rs` | what the wizard plans, and the question whether he may |
//! | `lessons.rs` | the first minutes, one thing to try at a time |

mod actions;
mod chat;
mod lessons;
mod plan_panel;
mod talk;

pub use talk::{Bubble, Talk, Who};

use bevy::prelude::*;

/// Adds all of it.
pub fn plugin(app: &mut App) {
    app.add_plugins((
        talk::plugin,
        chat::plugin,
        lessons::plugin,
        actions::plugin,
        plan_panel::plugin,
    ));
}
