//! Saves, and the record of everything that happened, as text: the page keeps it, or gives it to the player as a file.

use crate::page::{Asked, note, show};
use bevy::prelude::*;
use bevy_dramatis::journal::{
    GameCaptured, MemoryJournal, Recorded, Redaction, SaveCommandsExt, export, import,
};
use bevy_dramatis::prelude::CommandFailed;
use serde_json::json;

/// The command that loads a save, as [`CommandFailed`] names it.
pub const LOAD: &str = "load_recording";

pub fn plugin(app: &mut App) {
    app.add_observer(
        |asked: On<Asked>, mut commands: Commands| match asked.what.as_str() {
            "save" => commands.capture_game(),
            "load" => load(&asked.words, &mut commands),
            "record" => commands.queue(|world: &mut World| {
                give(world.resource::<MemoryJournal>().recording(), "record");
            }),
            _ => {}
        },
    )
    .add_observer(|captured: On<GameCaptured>| give(&*captured.recording, "save"))
    .add_observer(|failed: On<CommandFailed>| {
        if failed.command == LOAD {
            refuse(&failed.error);
        }
    });
}

fn load(text: &str, commands: &mut Commands) {
    match import(text.as_bytes()) {
        Ok(recording) => commands.load_recording(recording),
        Err(error) => refuse(&error.to_string()),
    }
}

fn refuse(error: &str) {
    note(
        "problem",
        &format!("The game goes on as it was, since the save cannot be loaded: {error}."),
    );
}

/// Gives a recording to the page, as the text that `dramatis replay` reads.
fn give(recording: &dyn Recorded, what: &str) {
    let mut text = Vec::new();
    match export(recording, &mut text, &Redaction::default()) {
        Ok(_) => show(what, json!(String::from_utf8_lossy(&text))),
        Err(error) => note("problem", &format!("It cannot be written down: {error}.")),
    }
}
