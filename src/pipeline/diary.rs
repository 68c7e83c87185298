//! A character's diary: when a day of the game is over, the engine is asked in the background to write in a few sentences what
//! the character has lived through. This is a separate run, without a line, that delays no other run.

use crate::base::calendar::Calendar;
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::limits::Limits;
use crate::memory::{Episode, Mind, Provenance};
use crate::npc::{LoadedCharacter, limits_of};
use crate::pipeline::background::begin_background;
use crate::pipeline::run::diary::{DiaryOf, note_end};
use crate::pipeline::run::is_in_run;
use crate::recorded::InputsAreFed;
use crate::story::ActiveStory;
use bevy::prelude::*;

/// On a character that may have a day to write about.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct DiaryDue;

/// The day of the game at which the diaries were looked at last.
#[derive(Resource, Debug, Default)]
pub(crate) struct DiaryDay(Option<i64>);

/// The system that lets characters write about the days that are over: day by day, and the characters in the order of their ids.
pub(crate) fn begin_due_diaries(
    world: &mut World,
    characters: &mut QueryState<(Entity, &LoadedCharacter)>,
    due: &mut QueryState<(Entity, &LoadedCharacter), With<DiaryDue>>,
) {
    // A recording says when it was.
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let (Some(clock), Some(story)) = (
        world.get_resource::<DramatisClock>(),
        world.get_resource::<ActiveStory>(),
    ) else {
        return;
    };
    let (today, of_story) = (story.0.calendar.day_of(clock.game), story.0.diary);
    let mut looked_at = world.get_resource_or_init::<DiaryDay>();
    if looked_at.0.replace(today) != Some(today) {
        let characters = characters.iter(world);
        let writing = characters.filter(|(_, npc)| npc.0.diary.unwrap_or(of_story));
        let writing: Vec<Entity> = writing.map(|(npc, _)| npc).collect();
        for npc in writing {
            world.entity_mut(npc).insert(DiaryDue);
        }
    }
    let mut waiting: Vec<(Id, Entity)> = due
        .iter(world)
        .map(|(npc, character)| (character.0.id.clone(), npc))
        .collect();
    waiting.sort_unstable();
    for (_, npc) in waiting {
        if !is_in_run::<DiaryOf>(world, npc) && !begin_next(world, npc) {
            world.entity_mut(npc).remove::<DiaryDue>();
        }
    }
}

/// When the next day begins on which a character may write about the one before, later than now.
pub(crate) fn next_day_to_write(world: &mut World, now: GameTime) -> Option<GameTime> {
    let story = world.get_resource::<ActiveStory>()?;
    let (calendar, of_story) = (story.0.calendar, story.0.diary);
    let mut characters = world.query::<&LoadedCharacter>();
    let mut characters = characters.iter(world);
    let writes = characters.any(|npc| npc.0.diary.unwrap_or(of_story));
    let day = calendar.day_of(now);
    writes.then(|| calendar.end_of(day).after(Millis(1)))
}

/// Whether a day has begun since the diaries were looked at, or one is still to be written.
pub(crate) fn may_be_due(
    clock: Option<Res<DramatisClock>>,
    story: Option<Res<ActiveStory>>,
    looked_at: Option<Res<DiaryDay>>,
    due: Query<(), With<DiaryDue>>,
) -> bool {
    let today = clock
        .zip(story)
        .map(|(clock, story)| story.0.calendar.day_of(clock.game));
    today != looked_at.and_then(|day| day.0) || !due.is_empty()
}

/// The first day that is over and that the diary does not cover yet, with what mattered most on that day.
fn next_day(mind: &Mind, calendar: Calendar, now: GameTime, limits: &Limits) -> Option<DiaryOf> {
    let open = mind.diary_from..calendar.day_of(now);
    let lived = mind.episodes.iter();
    let lived = lived.filter(|episode| !matches!(episode.provenance, Provenance::Diary(_)));
    let days = lived.map(|episode| (calendar.day_of(episode.time), episode));
    let days: Vec<(i64, &Episode)> = days.filter(|(day, _)| open.contains(day)).collect();
    let first = days.iter().map(|(day, _)| *day).min()?;
    let of_day = days.into_iter().filter(|(day, _)| *day == first);
    // In order of arrival.
    let mut of_day: Vec<(usize, &Episode)> =
        of_day.map(|(_, episode)| episode).enumerate().collect();
    of_day.sort_by(|(_, a), (_, b)| b.worth().cmp(&a.worth()));
    of_day.truncate(limits.retrieved_episodes);
    of_day.sort_by_key(|(arrived, episode)| (episode.time, *arrived));
    (!of_day.is_empty()).then(|| DiaryOf {
        day: first,
        episodes: of_day
            .into_iter()
            .map(|(_, episode)| episode.clone())
            .collect(),
    })
}

/// Lets a character write about the first day that its diary does not cover yet. False where there is no such day.
pub(crate) fn begin_next(world: &mut World, npc: Entity) -> bool {
    let story = world.get_resource::<ActiveStory>();
    let clock = world.get_resource::<DramatisClock>();
    let (Some(story), Some(clock), Some(mind)) = (story, clock, world.get::<Mind>(npc)) else {
        return false;
    };
    let limits = limits_of(world, npc);
    let Some(diary) = next_day(mind, story.0.calendar, clock.game, &limits) else {
        return false;
    };
    let day = diary.day;
    if !begin_background(world, npc, Stage::Diary, None, diary) {
        note_end(world, npc, day, false);
    }
    true
}
