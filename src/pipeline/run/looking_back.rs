//! What a character has said and looks back on later, to choose what it remembers of it.

use super::diary;
use super::outcome::Outcome;
use crate::base::canonical::Encoded;
use crate::base::counters::DramatisCounters;
use crate::base::time::GameTime;
use crate::memory::{Episode, Exchange, Mind};
use crate::npc::change_mind;
use crate::pipeline::run::Run;
use bevy::prelude::*;
use std::sync::Arc;

/// On a run that asks a character what it remembers: the exchanges that it is about.
#[derive(Component, Debug, Clone)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct Remembers(pub Vec<Arc<Encoded<Exchange>>>);

/// The mind of a character keeps the words of a run, and an episode of it where there is one. A character that is asked in parts
/// looks back on it later.
pub(crate) fn add_exchange(
    mind: &mut Mind,
    run: &Run,
    exchange: Exchange,
    episode: Option<Episode>,
    now: GameTime,
) {
    let exchange = match episode {
        Some(episode) => mind.keep_said(exchange, episode, now),
        None => exchange,
    };
    match run.policy().is_apart() {
        true => mind.add_exchange_to_remember(exchange, now),
        false => mind.add_exchange(exchange),
    }
}

/// Such a run is over: its subject is done with, or the engine is asked about it once more.
pub(crate) fn note_outcome(world: &mut World, run: Entity, outcome: &Outcome) {
    // The commit has noted the result.
    if !matches!(outcome, Outcome::Accepted { .. }) {
        diary::note_failure(world, run);
    }
    let Some(about) = world.get::<Remembers>(run).map(|about| about.0.len()) else {
        return;
    };
    let Some(npc) = world.get::<Run>(run).map(Run::npc_entity) else {
        return;
    };
    match outcome {
        // The commit has noted it.
        Outcome::Accepted { .. } | Outcome::Cancelled => {}
        _ => note_end(world, npc, about, false),
    }
}

/// A character has looked back on this many exchanges, or the request for it has failed.
pub(crate) fn note_end(world: &mut World, npc: Entity, exchanges: usize, is_done: bool) {
    change_mind(world, npc, |mind| mind.looked_back(exchanges, is_done));
    if !is_done {
        world
            .get_resource_or_init::<DramatisCounters>()
            .remember_failed += 1;
    }
}
