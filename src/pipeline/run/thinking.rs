//! What a character says while it thinks.

use crate::base::clock::DramatisClock;
use crate::base::seed::WorldSeed;
use crate::events::ThinkingLine;
use crate::npc::LoadedCharacter;
use crate::outbox::Outbox;
use crate::pipeline::run::{ActiveRun, Run};
use crate::pipeline::steps::fallback::draw_line;
use crate::pipeline::steps::inference::CallInFlight;
use bevy::prelude::*;

/// Lets each character that has waited long for its reply speak one of its `thinking` lines, once a run. No character remembers
/// it.
pub(crate) fn speak_thinking_lines(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &Run), (With<ActiveRun>, With<CallInFlight>)>,
) {
    let Some(DramatisClock { call: now, .. }) = world.get_resource().copied() else {
        return;
    };
    let mut due: Vec<(u64, Entity)> = waiting
        .iter(world)
        .filter(|(_, run)| !run.has_spoken_thinking_line() && now >= run.thinks_at())
        .map(|(entity, run)| (run.number(), entity))
        .collect();
    due.sort_unstable();
    for (_, entity) in due {
        if let Some(line) = thinking_line(world, entity) {
            world.get_resource_or_init::<Outbox>().tell(line);
        }
        if let Some(mut run) = world.get_mut::<Run>(entity) {
            run.note_thinking_line();
        }
    }
}

fn thinking_line(world: &World, entity: Entity) -> Option<ThinkingLine> {
    let run = world.get::<Run>(entity)?;
    let character = &world.get::<LoadedCharacter>(run.npc_entity())?.0;
    let seed = world.get_resource::<WorldSeed>()?.0;
    let keys = ["thinking", run.npc(), &run.number().to_string()];
    Some(ThinkingLine {
        entity: run.npc_entity(),
        npc: run.npc().to_owned(),
        run: entity,
        line: draw_line(&character.fallbacks.thinking, &[], 0, seed, &keys)?,
    })
}
