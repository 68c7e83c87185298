//! The command that loads a game, and its result.

use crate::heard::{listen, take_heard};
use bevy::prelude::*;
use bevy_dramatis::journal::{LoadFailed, LoadGameError, SaveCommandsExt};
use std::path::Path;

/// Loads a game by command.
pub fn load_game(world: &mut World, path: &Path) -> Result<(), LoadGameError> {
    outcome(world, |commands| commands.load_game(path))
}

/// Applies a command that loads, and reads its failure.
pub fn outcome(world: &mut World, load: impl FnOnce(&mut Commands)) -> Result<(), LoadGameError> {
    listen::<LoadFailed>(world);
    take_heard::<LoadFailed>(world);
    load(&mut world.commands());
    world.flush();
    let failed = take_heard::<LoadFailed>(world).pop();
    failed.map_or(Ok(()), |failed| Err(failed.error))
}
