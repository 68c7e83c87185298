//! Saving and loading: F5 saves, F9 loads the save. Everything that happens is kept in a journal, too, a new one for each
//! start: `dramatis replay` plays it again without a model.

mod folder;
mod notes;

use crate::talking::{Talk, Who};
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::journal::{JournalPlugin, SaveCommandsExt};
use folder::{folder, new_journal, remove_old_journals};
use std::path::PathBuf;

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
        .add_plugins(notes::plugin);
}

/// The file of the save.
#[derive(Resource)]
struct SaveFile(PathBuf);

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
