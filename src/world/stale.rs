//! Notes of what has changed in the judged world, so that the engine never searches all of it for changes.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use std::collections::BTreeSet;

/// Entities whose judged part has changed: a component of the judged world came, went or has another value, or an id came
/// free. Hooks and observers note them; `refresh` takes them. It is there once something has
/// been refreshed: before that everything is looked at anyway.
#[derive(Resource, Debug, Default)]
pub(super) struct StaleEntities(pub BTreeSet<Entity>);

/// The hook of the components of the judged world: notes the entity of one that comes, goes or gets another value.
pub(super) fn note_change(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut stale) = world.get_resource_mut::<StaleEntities>() {
        stale.0.insert(context.entity);
    }
}

/// Notes every entity to which a component of this type comes. For components that can have no hooks of ours.
pub(super) fn note_insertions_of<C: Component>(world: &mut World) {
    world.add_observer(|new: On<Insert, C>, stale: Option<ResMut<StaleEntities>>| {
        if let Some(mut stale) = stale {
            stale.0.insert(new.entity);
        }
    });
}

/// Notes every entity from which a component of this type goes.
pub(super) fn note_removals_of<C: Component>(world: &mut World) {
    world.add_observer(
        |gone: On<Remove, C>, stale: Option<ResMut<StaleEntities>>| {
            if let Some(mut stale) = stale {
                stale.0.insert(gone.entity);
            }
        },
    );
}
