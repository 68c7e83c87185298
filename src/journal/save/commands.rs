//! Commands that save and load.

use crate::journal::file::announce::announce;
use crate::journal::save::file::LoadGameError;
use crate::journal::save::ticket::SaveFailed;
use crate::journal::save::waiting_load::LoadFailed;
use crate::journal::save::{load_checkpoint, load_game, save_game};
use bevy::prelude::*;
use std::path::{Path, PathBuf};

/// How a game saves and loads, from any system.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::journal::{LoadFailed, SaveCommandsExt};
///
/// fn quick_save(mut commands: Commands) {
///     commands.save_game("slot1.save");
/// }
///
/// fn quick_load(mut commands: Commands) {
///     commands.load_game("slot1.save");
/// }
///
/// fn tell(failed: On<LoadFailed>) {
///     warn!("{}", failed.error);
/// }
/// # bevy::ecs::system::assert_is_system(quick_save);
/// # bevy::ecs::system::assert_is_system(quick_load);
/// ```
pub trait SaveCommandsExt {
    /// Saves the game as it is when commands are applied, without waiting for the disk.
    /// [`GameSaved`](crate::journal::GameSaved) or [`SaveFailed`] follows.
    fn save_game(&mut self, path: impl Into<PathBuf>);
    /// Loads a game. [`GameLoaded`](crate::events::GameLoaded) or [`LoadFailed`] follows. After a failure, nothing has changed. While
    /// files of the game are still loading, the save waits for them.
    fn load_game(&mut self, path: impl Into<PathBuf>);
    /// The same of an earlier checkpoint in the file of a journal, by the number of its record:
    /// [`JournalFile::checkpoints`](crate::journal::JournalFile::checkpoints) lists them.
    fn load_checkpoint(&mut self, path: impl Into<PathBuf>, seq: u64);
}

impl SaveCommandsExt for Commands<'_, '_> {
    fn save_game(&mut self, path: impl Into<PathBuf>) {
        let path = path.into();
        self.queue(move |world: &mut World| {
            if let Err(error) = save_game(world, &path) {
                log::error!("the game is not saved: {error}");
                announce(world, SaveFailed { path, error });
            }
        });
    }

    fn load_game(&mut self, path: impl Into<PathBuf>) {
        load(self, path.into(), load_game);
    }

    fn load_checkpoint(&mut self, path: impl Into<PathBuf>, seq: u64) {
        load(self, path.into(), move |world, path| {
            load_checkpoint(world, path, seq)
        });
    }
}

fn load(
    commands: &mut Commands,
    path: PathBuf,
    load: impl FnOnce(&mut World, &Path) -> std::result::Result<(), LoadGameError> + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Err(error) = load(world, &path) {
            log::error!("the game is not loaded: {error}");
            announce(world, LoadFailed { path, error });
        }
    });
}
