//! Which hidden topics the world has closed since the input of a run was frozen.

use super::interaction::InteractionContext;
use super::run::Run;
use super::snapshot::StateSnapshot;
use super::step::{RunFault, character_component};
use crate::npc::LoadedCharacter;
use crate::rules::{HiddenTopic, is_closed};
use crate::world::WorldView;
use bevy::prelude::*;

/// Hidden topics that were open when the input was frozen and are closed now.
pub(super) fn closed_since<'a>(
    world: &'a World,
    run: &Run,
    context: &InteractionContext,
    snapshot: &StateSnapshot,
) -> std::result::Result<Vec<&'a HiddenTopic>, RunFault> {
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let before = &snapshot.body().closed_topics;
    let live = WorldView::new(world);
    let hidden = character.rules.hidden.iter();
    let closed_since = hidden
        .filter(|hidden| !before.iter().any(|topic| **topic == *hidden.topic.source))
        .filter(|hidden| is_closed(hidden, &context.conditions(), &live));
    Ok(closed_since.collect())
}
