//! What a character writes in its diary, and what becomes of it.

use crate::base::calendar::Calendar;
use crate::base::counters::DramatisCounters;
use crate::base::time::GameTime;
use crate::memory::{Episode, Provenance};
use crate::npc::change_mind;
use crate::pipeline::run::Run;
use bevy::prelude::*;

/// On a run that writes a diary: the day that it is about, and what the character has lived through then.
#[derive(Component, Debug, Clone)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct DiaryOf {
    pub day: i64,
    /// Episodes of that day, in order of time.
    pub episodes: Vec<Episode>,
}

impl DiaryOf {
    /// What the diary of this day is as an episode; its id and its text are still empty.
    pub(crate) fn episode(&self, calendar: Calendar) -> Episode {
        let next_day = calendar.end_of(self.day).0.saturating_add(1);
        Episode {
            provenance: Provenance::Diary(self.episodes.iter().map(|one| one.id.clone()).collect()),
            pinned: true,
            ..Episode::new("", "", GameTime(next_day.saturating_sub(1_000)))
        }
    }
}

/// The diary of a day is written, or the request for it has failed.
pub(crate) fn note_end(world: &mut World, npc: Entity, day: i64, is_done: bool) {
    change_mind(world, npc, |mind| mind.diary_from = day.saturating_add(1));
    if !is_done {
        world
            .get_resource_or_init::<DramatisCounters>()
            .diary_failed += 1;
    }
}

/// A run that writes a diary is over without one.
pub(crate) fn note_failure(world: &mut World, run: Entity) {
    let day = world.get::<DiaryOf>(run).map(|diary| diary.day);
    let npc = world.get::<Run>(run).map(Run::npc_entity);
    if let (Some(day), Some(npc)) = (day, npc) {
        note_end(world, npc, day, false);
    }
}
