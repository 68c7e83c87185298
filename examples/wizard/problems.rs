//! What can go wrong during the game, each in one sentence: in the window and in the terminal.

mod calls;
mod sentences;
mod server;
mod start;
#[cfg(test)]
mod tests;
mod trouble;

pub use sentences::{reason, short};
pub use server::Server;
pub use start::{explain_what_is_missing, has_display};

use crate::cast::PLAYER;
use crate::talking::{Talk, Who};
use bevy::prelude::*;
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::npc::RequestError;
use bevy_dramatis::prelude::*;

/// Adds the sentences.
pub fn plugin(app: &mut App) {
    app.add_plugins((calls::plugin, server::plugin))
        .add_observer(tell_of_refused_request)
        .add_observer(tell_of_wrong_file);
}

/// Tells of a problem in the window and in the terminal.
pub fn tell(talk: &mut Talk, sentence: &str) {
    warn!("{sentence}");
    talk.note(Who::Problem, sentence);
}

fn tell_of_refused_request(refused: On<RequestRefused>, mut talk: ResMut<Talk>) {
    // A turn that is told says itself why it is refused.
    if refused.entity.is_none() && refused.npc == PLAYER {
        return;
    }
    match &refused.error {
        // What came later is answered.
        RequestError::Replaced | RequestError::Despawned => {}
        RequestError::QueueFull { .. } => tell(
            &mut talk,
            "What you said before is not answered yet: wait a moment.",
        ),
        error => tell(&mut talk, &format!("That cannot be: {}.", reason(error))),
    }
}

fn tell_of_wrong_file(failed: On<AuthoringFailed>, mut talk: ResMut<Talk>) {
    let AuthoringError {
        file, line, column, ..
    } = &failed.error;
    let what = short(&failed.error.message);
    let sentence = match (line, column) {
        // It is wrong as a whole, or is not there.
        (1, 1) => format!("{file}: {what}."),
        _ => format!("{file}, line {line}, column {column}: {what}."),
    };
    // The plugin has logged it already.
    talk.note(Who::Problem, &sentence);
}
