//! Events of the journal: for observers and as messages.

use bevy::prelude::*;

/// Sends an event to observers, and as a message.
pub(in crate::journal) fn announce<E: Event + Message + Clone>(world: &mut World, event: E)
where
    for<'a> E::Trigger<'a>: Default,
{
    world.trigger(event.clone());
    world.write_message(event);
}
