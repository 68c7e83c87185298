//! Overhearing: characters at a place may remember words that are said aloud there.

use super::heard::HeardSentences;
use crate::base::canonical::draw;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::judged_world::state::senses::Senses;
use crate::memory::{Mind, Provenance};
use crate::npc::{LoadedCharacter, MindChange, MindWrite, NewEpisode};
use crate::pipeline::run::Run;
use crate::pipeline::run::outcome::Outcome;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::recorded::InputsAreFed;
use crate::world::{WorldIndex, WorldRead, WorldView};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Whether characters overhear words that are said aloud where they are; off by default. Each then gets an episode of
/// significance 0.2 for the words, and one for the answer. A whisper is not overheard.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
pub struct Overhearing(pub bool);

const SIGNIFICANCE: f32 = 0.2;

/// Lets the characters at the place overhear what a run said that has ended.
pub(crate) fn overhear(world: &mut World, entity: Entity, outcome: &Outcome) {
    let is_on = world.get_resource::<Overhearing>().is_some_and(|on| on.0);
    // In a replay, the overheard words come from the record.
    if !is_on || world.contains_resource::<InputsAreFed>() {
        return;
    }
    let (Some(run), Some(context)) = (
        world.get::<Run>(entity),
        world.get::<InteractionContext>(entity),
    ) else {
        return;
    };
    // The heard sentences of a run stay said, however the run ended.
    let heard = world.get::<HeardSentences>(entity);
    let heard = heard
        .map(HeardSentences::line)
        .filter(|line| !line.is_empty());
    let Some(line) = outcome.line().or(heard.as_deref()) else {
        return;
    };
    if run.stage() != Stage::Dialogue || context.whisper {
        return;
    }
    let npc = run.npc().clone();
    let mut said: Vec<(Id, Option<Id>, String)> = Vec::new();
    if let (Some(speaker), Some(input)) = (&context.speaker, &context.input) {
        said.push((speaker.clone(), Some(npc.clone()), input.clone()));
    }
    if !line.is_empty() {
        said.push((npc.clone(), context.speaker.clone(), line.to_owned()));
    }
    let number = context.interaction_count;
    let view = WorldView::new(world);
    let place = view.place_of(&npc);
    let listeners: Vec<Id> = match &place {
        None => Vec::new(),
        Some(place) => view.contents(place),
    };
    let people = std::iter::once(&npc).chain(&context.speaker);
    let people: Vec<String> = people.map(Id::to_string).collect();
    let mut writes = Vec::new();
    for listener in listeners {
        let part = listener == npc || context.speaker.as_ref() == Some(&listener);
        if part || Senses::of(&view, &listener).deaf {
            continue;
        }
        for (index, (from, to, words)) in said.iter().enumerate() {
            let name = |id: &Id| view.name_of(id).unwrap_or_else(|| id.to_string());
            let to = to
                .as_ref()
                .map(|to| format!(" to {}", name(to)))
                .unwrap_or_default();
            let text: String = format!("{} said{to}: \"{words}\"", name(from))
                .chars()
                .take(2_000)
                .collect();
            let Some(id) = free_id(world, &listener, (&npc, run.number()), number, index) else {
                continue;
            };
            let change = MindChange::Remember(NewEpisode {
                significance: SIGNIFICANCE,
                provenance: Provenance::OverheardFrom(from.to_string()),
                participants: people.clone(),
                place: place.as_ref().map(Id::to_string),
                ..NewEpisode::new(id, text)
            });
            writes.push((listener.clone(), change));
        }
    }
    for (listener, change) in writes {
        let is_character = WorldIndex::find(world, &listener)
            .is_some_and(|entity| world.get::<LoadedCharacter>(entity).is_some());
        if !is_character {
            continue;
        }
        if let Err(error) = MindWrite::new(listener, change).apply_to(world) {
            log::debug!("nothing was overheard: {error}");
        }
    }
}

/// The id of the episode for what a listener overhears: by how often the character has answered, or, where that id is taken or too
/// long, by the run. A run that was cancelled in the middle of its line does not count as an answer.
fn free_id(
    world: &World,
    listener: &Id,
    (npc, run): (&Id, u64),
    number: u64,
    index: usize,
) -> Option<Id> {
    let mind = WorldIndex::find(world, listener).and_then(|entity| world.get::<Mind>(entity));
    let is_free = |id: &Id| mind.is_none_or(|mind| mind.episodes.get(id).is_none());
    let by_run = || {
        let (run, index) = (run.to_string(), index.to_string());
        let drawn = draw(0, "overheard", &[npc.as_str(), &run, &index]);
        Id::new(format!("overheard-{drawn:016x}"))
    };
    let by_number = Id::new(format!("overheard.{npc}.{number}.{index}"));
    by_number.ok().filter(is_free).or_else(|| by_run().ok())
}
