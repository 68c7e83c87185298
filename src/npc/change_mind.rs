//! The one place where the mind of a character in the game is changed.

use super::components::LoadedCharacter;
use super::events::Forgotten;
use crate::base::ids::Id;
use crate::memory::{ForgottenEpisode, Mind};
use crate::outbox::Outbox;
use bevy::prelude::*;

/// Changes the mind of a character in place, which no other code can do, and reports what the character forgot by that. `None`
/// when the entity has no mind.
pub(crate) fn change_mind<R>(
    world: &mut World,
    npc: Entity,
    change: impl FnOnce(&mut Mind) -> R,
) -> Option<R> {
    let (changed, forgotten) = world
        .modify_component(npc, |mind: &mut Mind| watch(mind, change))
        .ok()
        .flatten()?;
    if let Some(id) = LoadedCharacter::id_of(world, npc) {
        tell_forgotten(world, Some(npc), &id, forgotten);
    }
    Some(changed)
}

/// Changes a mind. Returns what it has forgotten by that, too.
pub(crate) fn watch<R>(
    mind: &mut Mind,
    change: impl FnOnce(&mut Mind) -> R,
) -> (R, Vec<ForgottenEpisode>) {
    let before = mind.episodes.forgotten_count();
    let changed = change(mind);
    let forgotten = mind.episodes.forgotten_since(before);
    (changed, forgotten.cloned().collect())
}

/// Tells what a character has forgotten. `entity`: its entity, where it is in the game.
pub(crate) fn tell_forgotten(
    world: &mut World,
    entity: Option<Entity>,
    npc: &Id,
    forgotten: Vec<ForgottenEpisode>,
) {
    if forgotten.is_empty() {
        return;
    }
    let mut outbox = world.get_resource_or_init::<Outbox>();
    for ForgottenEpisode { episode, why, .. } in forgotten {
        outbox.tell_about(Forgotten {
            entity,
            npc: npc.clone(),
            episode,
            why,
        });
    }
}
