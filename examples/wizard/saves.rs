//! Saving and loading: F5 saves, F9 loads the save. Everything that happens is kept in a journal, too, a new one for each
//! start: `dramatis replay` plays it again without a model.

use crate::talk::{Talk, Who};
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::journal::{
    GameSaved, JournalPlugin, JournalResumed, JournalStopped, LoadFailed, SaveCommandsExt,
    SaveFailed,
};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many journals are kept, that of this start included.
const JOURNALS: usize = 5;
/// The most bytes of a journal.
const JOURNAL_BYTES: u64 = 256 * 1024 * 1024;

/// Adds the journal, saving and loading. A game that must not write to the disk leaves it out.
pub fn plugin(app: &mut App) {
    let folder = folder();
    // Where nothing can be written, the journal says so itself, and the game goes on.
    if let Err(error) = std::fs::create_dir_all(&folder) {
        warn!("{} cannot be made: {error}", folder.display());
    }
    remove_old_journals(&folder);
    app.add_plugins(JournalPlugin::new(new_journal(&folder)).max_bytes(JOURNAL_BYTES))
        .insert_resource(SaveFile(folder.join("quick.save")))
        .add_systems(
            Update,
            (
                save.run_if(input_just_pressed(KeyCode::F5)),
                load.run_if(input_just_pressed(KeyCode::F9)),
            ),
        )
        .add_observer(|_: On<GameSaved>, mut talk: ResMut<Talk>| {
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

/// The file of the save.
#[derive(Resource)]
struct SaveFile(PathBuf);

/// Where this user's games keep their data; where that is not known, where temporary files are.
fn folder() -> PathBuf {
    let set = |name| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")));
    let data = data.unwrap_or_else(std::env::temp_dir);
    data.join("bevy_dramatis_wizard")
}

/// The journal of this start. The names of journals sort in the order in which they were begun.
fn new_journal(folder: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs());
    let process = std::process::id();
    folder.join(format!("journal-{seconds:012}-{process}.dramatis"))
}

/// Leaves room for the journal of this start.
fn remove_old_journals(folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut journals: Vec<String> = names
        .filter(|name| name.starts_with("journal-") && name.ends_with(".dramatis"))
        .collect();
    journals.sort_unstable();
    let too_many = (journals.len() + 1).saturating_sub(JOURNALS);
    for name in journals.iter().take(too_many) {
        // The last two are there only after a crash.
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.join(format!("{name}{ending}")));
        }
    }
}

/// Another thread writes the file. An event tells when it is complete.
fn save(file: Res<SaveFile>, mut commands: Commands) {
    commands.save_game(&file.0);
}

fn load(file: Res<SaveFile>, mut talk: ResMut<Talk>, mut commands: Commands) {
    if file.0.exists() {
        commands.load_game(&file.0);
    } else {
        talk.note(Who::Problem, "There is no save yet: F5 makes one.");
    }
}

fn not_saved(error: &impl std::fmt::Display) -> String {
    format!("The game is not saved: {error}.")
}

fn not_loaded(error: &impl std::fmt::Display) -> String {
    format!("The game goes on as it was, since the save cannot be loaded: {error}.")
}
