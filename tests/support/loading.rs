//! The command that loads a game, and its result.

use bevy::prelude::*;
use bevy_dramatis::journal::{LoadFailed, LoadGameError, SaveCommandsExt};
use std::path::Path;

/// Loads a game by command.
pub fn load_game(world: &mut World, path: &Path) -> Result<(), LoadGameError> {
    outcome(world, |commands| commands.load_game(path))
}

/// Applies a command that loads, and reads its failure.
pub fn outcome(world: &mut World, load: impl FnOnce(&mut Commands)) -> Result<(), LoadGameError> {
    let earlier = world.get_resource::<Messages<LoadFailed>>();
    let mut failed = earlier
        .map(Messages::get_cursor_current)
        .unwrap_or_default();
    load(&mut world.commands());
    world.flush();
    let now = world.get_resource::<Messages<LoadFailed>>();
    let last = now.and_then(|now| failed.read(now).last());
    last.map_or(Ok(()), |failed| Err(failed.error.clone()))
}
