//! Saves, and the record of all that happened, as text: the page keeps it, or hands it to the player as a file.

use crate::page::{Asked, note, show};
use bevy::prelude::*;
use bevy_dramatis::journal::{
    MemoryJournal, Recorded, Redaction, export, import, load_recording, save_recording,
};
use serde_json::json;

pub fn plugin(app: &mut App) {
    app.add_observer(|asked: On<Asked>, mut commands: Commands| {
        let text = asked.words.clone();
        match asked.what.as_str() {
            "save" => commands.queue(|world: &mut World| give(&save_recording(world), "save")),
            "load" => commands.queue(move |world: &mut World| load(world, &text)),
            "record" => commands.queue(|world: &mut World| {
                give(world.resource::<MemoryJournal>().recording(), "record");
            }),
            _ => {}
        }
    });
}

fn load(world: &mut World, text: &str) {
    let loaded = match import(text.as_bytes()) {
        Ok(recording) => load_recording(world, &recording).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = loaded {
        note(
            "problem",
            &format!("The game goes on as it was, since the save cannot be loaded: {error}."),
        );
    }
}

/// Gives a recording to the page, as the text that `dramatis replay` reads.
fn give(recording: &dyn Recorded, what: &str) {
    let mut text = Vec::new();
    match export(recording, &mut text, &Redaction::default()) {
        Ok(_) => show(what, json!(String::from_utf8_lossy(&text))),
        Err(error) => note("problem", &format!("It cannot be written down: {error}.")),
    }
}
