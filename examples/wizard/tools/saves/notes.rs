//! What the log says of saves and of the journal.

use crate::talking::{Talk, Who};
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::journal::{GameSaved, JournalResumed, JournalStopped, LoadFailed, SaveFailed};

/// Adds the notes.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(|_: On<GameSaved>, mut talk: ResMut<Talk>| {
        talk.note(Who::Nobody, "The game is saved. F9 brings it back.");
    })
    .add_observer(|_: On<GameLoaded>, mut talk: ResMut<Talk>| {
        talk.note(Who::Nobody, "Everything is as it was saved.");
    })
    .add_observer(|failed: On<SaveFailed>, mut talk: ResMut<Talk>| {
        talk.note(Who::Problem, &not_saved(&failed.error));
    })
    .add_observer(|failed: On<LoadFailed>, mut talk: ResMut<Talk>| {
        talk.note(Who::Problem, &not_loaded(&failed.error));
    })
    .add_observer(|stopped: On<JournalStopped>, mut talk: ResMut<Talk>| {
        let why = &stopped.why;
        let line = format!("The game goes on, but nothing can be written down: {why}.");
        talk.note(Who::Problem, &line);
    })
    .add_observer(|_: On<JournalResumed>, mut talk: ResMut<Talk>| {
        talk.note(Who::Nobody, "What happens is written down again.");
    });
}

fn not_saved(error: &impl std::fmt::Display) -> String {
    format!("The game is not saved: {error}.")
}

fn not_loaded(error: &impl std::fmt::Display) -> String {
    format!("The game goes on as it was, since the save cannot be loaded: {error}.")
}
