//! A save that waits until the files of the game are loaded.

use super::file::{LoadGameError, Save};
use crate::outbox::send;
use bevy::prelude::*;
use std::path::PathBuf;

/// A save that a command was to load, or that waited for the files of the game, could not be loaded. The game goes on as it was.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
pub struct LoadFailed {
    /// The path of the save file.
    pub path: PathBuf,
    /// Why it could not be loaded.
    pub error: LoadGameError,
}

/// The save that waits.
#[derive(Resource)]
struct WaitingLoad(Save);

/// Adds what loads a save that waits.
pub(crate) fn register_loads(app: &mut App) {
    app.add_systems(Last, load_waiting.run_if(resource_exists::<WaitingLoad>));
}

/// Loads a save, or lets it wait for the files of the game. One that waited before is forgotten.
pub(in crate::journal) fn load_or_wait(world: &mut World, save: Save) -> Result<(), LoadGameError> {
    world.remove_resource::<WaitingLoad>();
    match save.load(world) {
        Err(LoadGameError::StillLoading) => {
            world.insert_resource(WaitingLoad(save));
            Ok(())
        }
        loaded => loaded,
    }
}

fn load_waiting(world: &mut World) {
    let Some(WaitingLoad(save)) = world.remove_resource::<WaitingLoad>() else {
        return;
    };
    let path = save.path().to_path_buf();
    if let Err(error) = load_or_wait(world, save) {
        log::error!("the game is not loaded: {error}");
        send(world, LoadFailed { path, error });
    }
}
