//! Which hidden topics the world has closed since the input of a run was frozen.

use crate::npc::LoadedCharacter;
use crate::pipeline::driver::step::{RunFault, character_component};
use crate::pipeline::run::Run;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::pipeline::steps::snapshot::StateSnapshot;
use crate::rules::{HiddenTopic, is_closed};
use crate::world::WorldView;
use bevy::prelude::*;

/// Hidden topics that were open when the input was frozen and are closed now.
pub(in crate::pipeline) fn closed_since<'a>(
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
