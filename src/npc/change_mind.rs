//! The one place where the mind of a character in the game is changed.

use crate::memory::Mind;
use bevy::prelude::*;

/// Changes the mind of a character in place, which nobody else can do. `None` when the entity has none.
pub(crate) fn change_mind<R>(
    world: &mut World,
    npc: Entity,
    change: impl FnOnce(&mut Mind) -> R,
) -> Option<R> {
    world.modify_component(npc, change).ok().flatten()
}
