//! Commands for a character or an actor by its id.

use bevy::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// Gives commands to the entity with this id, and applies them.
pub fn tell(world: &mut World, id: &str, commands: impl FnOnce(&mut EntityCommands)) {
    let entity = world.resource::<WorldIndex>().get(id);
    let entity = entity.unwrap_or_else(|| panic!("there is no \"{id}\""));
    commands(&mut world.commands().entity(entity));
    world.flush();
}
