//! Commands that save and load.

use crate::journal::Recording;
use crate::journal::events::GameCaptured;
use crate::journal::load::{capture_game, load_recording};
use crate::npc::attempt;
use crate::outbox::send;
use bevy::prelude::*;
use std::sync::Arc;
#[cfg(feature = "store")]
use {
    crate::journal::save::file::LoadGameError,
    crate::journal::save::ticket::SaveFailed,
    crate::journal::save::waiting_load::LoadFailed,
    crate::journal::save::{load_checkpoint, load_game, save_game},
    std::path::{Path, PathBuf},
};

/// How a game saves and loads, from any system. None of it needs a journal.
///
/// With the feature `store` a save is a file:
///
/// ```
/// # #[cfg(feature = "store")]
/// # mod saves {
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
/// # pub fn check() {
/// #     bevy::ecs::system::assert_is_system(quick_save);
/// #     bevy::ecs::system::assert_is_system(quick_load);
/// # }
/// # }
/// # #[cfg(feature = "store")]
/// # saves::check();
/// ```
///
/// Without it, for example in a browser, a save is bytes that the game keeps:
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::journal::{GameCaptured, Redaction, SaveCommandsExt, export, import};
/// # use bevy_dramatis::testing::{FnEngine, TestGame};
///
/// #[derive(Resource, Default)]
/// struct Slot(Vec<u8>);
///
/// fn quick_save(mut commands: Commands) {
///     commands.capture_game();
/// }
///
/// fn keep(captured: On<GameCaptured>, mut slot: ResMut<Slot>) -> Result {
///     slot.0.clear();
///     export(&*captured.recording, &mut slot.0, &Redaction::default())?;
///     Ok(())
/// }
///
/// fn quick_load(slot: Res<Slot>, mut commands: Commands) -> Result {
///     commands.load_recording(import(&*slot.0)?);
///     Ok(())
/// }
/// # let mut game = TestGame::new(FnEngine::always("Well met."));
/// # game.spawn_npc(r#"(id: "odo")"#);
/// # let world = game.world_mut();
/// # world.init_resource::<Slot>();
/// # world.add_observer(keep);
/// # world.run_system_cached(quick_save)?;
/// # let () = world.run_system_cached(quick_load)?;
/// # assert!(game.take_event_names().is_empty());
/// # Ok::<(), BevyError>(())
/// ```
pub trait SaveCommandsExt {
    /// Saves the game as it is when commands are applied, without waiting for the disk.
    /// [`GameSaved`](crate::journal::GameSaved) or [`SaveFailed`] follows.
    #[cfg(feature = "store")]
    fn save_game(&mut self, path: impl Into<PathBuf>);
    /// Loads a game. [`GameLoaded`](crate::events::GameLoaded) or [`LoadFailed`] follows. After a failure, nothing has changed. While
    /// files of the game are still loading, the save waits for them.
    #[cfg(feature = "store")]
    fn load_game(&mut self, path: impl Into<PathBuf>);
    /// The same of an earlier checkpoint in the file of a journal, by the number of its record:
    /// [`JournalFile::checkpoints`](crate::journal::JournalFile::checkpoints) lists them.
    #[cfg(feature = "store")]
    fn load_checkpoint(&mut self, path: impl Into<PathBuf>, seq: u64);
    /// Takes the game as it is when commands are applied: a save without a file. [`GameCaptured`] brings it at once.
    fn capture_game(&mut self);
    /// Puts the game with which a recording begins in place of the current one. Later events are forgotten; the game's own files stay.
    /// [`GameLoaded`](crate::events::GameLoaded) follows, with an empty path, or [`CommandFailed`](crate::events::CommandFailed), and
    /// then nothing has changed. It does not wait: while files of the game are still loading, it fails.
    fn load_recording(&mut self, recording: Recording);
}

impl SaveCommandsExt for Commands<'_, '_> {
    #[cfg(feature = "store")]
    fn save_game(&mut self, path: impl Into<PathBuf>) {
        let path = path.into();
        self.queue(move |world: &mut World| {
            if let Err(error) = save_game(world, &path) {
                log::error!("the game is not saved: {error}");
                send(world, SaveFailed { path, error });
            }
        });
    }

    #[cfg(feature = "store")]
    fn load_game(&mut self, path: impl Into<PathBuf>) {
        load(self, path.into(), load_game);
    }

    #[cfg(feature = "store")]
    fn load_checkpoint(&mut self, path: impl Into<PathBuf>, seq: u64) {
        load(self, path.into(), move |world, path| {
            load_checkpoint(world, path, seq)
        });
    }

    fn capture_game(&mut self) {
        self.queue(|world: &mut World| {
            let recording = Arc::new(capture_game(world));
            send(world, GameCaptured { recording });
        });
    }

    fn load_recording(&mut self, recording: Recording) {
        attempt(self, "load_recording", move |world| {
            load_recording(world, &recording)
        });
    }
}

#[cfg(feature = "store")]
fn load(
    commands: &mut Commands,
    path: PathBuf,
    load: impl FnOnce(&mut World, &Path) -> std::result::Result<(), LoadGameError> + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Err(error) = load(world, &path) {
            log::error!("the game is not loaded: {error}");
            send(world, LoadFailed { path, error });
        }
    });
}
