//! What a character remembers of its talks, where the engine is asked in parts: after some exchanges, or when a talk is over,
//! the engine is asked once in the background. This is a separate run, without a line, that delays no other run.

use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::limits::Limits;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, limits_of};
use crate::pipeline::background::begin_background;
use crate::pipeline::run::is_in_run;
use crate::pipeline::run::looking_back::{Remembers, note_end};
use crate::recorded::InputsAreFed;
use bevy::prelude::*;

/// On a character that has talked and not looked back on it, so that the code need not search all characters in every frame.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct HasTalked;

/// Marks a character whose mind has something to look back on, wherever that comes from: a talk, a save, or a life before.
pub(crate) fn note_talk(
    changed: On<Insert, Mind>,
    minds: Query<&Mind, Without<HasTalked>>,
    mut commands: Commands,
) {
    let waits = |mind: &Mind| mind.unremembered.exchanges > 0;
    if minds.get(changed.entity).is_ok_and(waits) {
        commands.entity(changed.entity).insert(HasTalked);
    }
}

/// The system that asks each character what it remembers whose time has come, in the order of their ids.
pub(crate) fn begin_due(
    world: &mut World,
    minds: &mut QueryState<(Entity, &LoadedCharacter), With<HasTalked>>,
) {
    // A recording says when it was.
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let Some(now) = world
        .get_resource::<DramatisClock>()
        .map(|clock| clock.game)
    else {
        return;
    };
    let mut talked: Vec<(Id, Entity)> = minds
        .iter(world)
        .map(|(entity, character)| (character.0.id.clone(), entity))
        .collect();
    talked.sort_unstable();
    for (_, npc) in talked {
        let limits = limits_of(world, npc);
        let Some(mind) = world.get::<Mind>(npc) else {
            continue;
        };
        if mind.unremembered.exchanges == 0 {
            world.entity_mut(npc).remove::<HasTalked>();
        } else if is_due(mind, &limits, now) && !is_in_run::<Remembers>(world, npc) {
            begin(world, npc);
        }
    }
}

/// When the next talk is over that a character is to look back on, later than now.
pub(crate) fn next_end_of_talk(world: &mut World, now: GameTime) -> Option<GameTime> {
    let mut talked = world.query_filtered::<(Entity, &Mind), With<HasTalked>>();
    let ends = talked.iter(world).filter_map(|(npc, mind)| {
        let waiting = mind.unremembered;
        let is_new = waiting.exchanges > waiting.tried;
        is_new.then(|| waiting.last.after(limits_of(world, npc).talk_ends))
    });
    ends.filter(|end| *end > now).min()
}

/// Whether there have been enough exchanges since the last time, or the talk is over.
fn is_due(mind: &Mind, limits: &Limits, now: GameTime) -> bool {
    let waiting = mind.unremembered;
    let new = waiting.exchanges.saturating_sub(waiting.tried);
    let silence = Millis(now.0.saturating_sub(waiting.last.0));
    new >= limits.remember_every || new > 0 && silence >= limits.talk_ends.into()
}

/// Asks a character what it remembers of what it has talked about.
pub(crate) fn begin(world: &mut World, npc: Entity) {
    let Some(mind) = world.get::<Mind>(npc) else {
        return;
    };
    let exchanges = mind.to_remember();
    let count = exchanges.len();
    let speaker = exchanges
        .last()
        .and_then(|last| Id::new(&last.speaker).ok());
    if !begin_background(world, npc, Stage::Remember, speaker, Remembers(exchanges)) {
        // Such a talk is dropped, as after a call that failed.
        note_end(world, npc, count, false);
    }
}
