//! The words to a character and its answer, as an episode that it remembers.

use crate::base::clock::DramatisClock;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::limits::Memory;
use crate::memory::episode::MAX_MEMORY_CHARS;
use crate::memory::{Episode, Exchange};
use crate::npc::limits::lexicon_of;
use crate::npc::limits_of;
use crate::pipeline::run::Run;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::text::PromptWords;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;

/// The parts of every episode that a run writes: the participants, where and when. Its id and its text are still empty.
pub(crate) fn episode_of(world: &World, run: Entity) -> Option<Episode> {
    let context = world.get::<InteractionContext>(run)?;
    let npc = world.get::<Run>(run)?.npc_entity();
    let now = world.get_resource::<DramatisClock>()?.game;
    let speaker = context.speaker.as_ref();
    let episode = Episode::new("", "", now);
    if limits_of(world, npc).memory == Memory::Fading {
        return Some(Episode {
            participants: speaker.map(Id::to_string).into_iter().collect(),
            place: context.scene.clone(),
            private: context.whisper,
            ..episode
        });
    }
    let people = std::iter::once(&context.npc).chain(speaker);
    let place = WorldView::new(world).place_of(&context.npc);
    Some(Episode {
        participants: people.map(Id::to_string).collect(),
        place: place.map(String::from),
        private: context.whisper,
        ..episode
    })
}

/// The episode that keeps an exchange of this run, still without an id. `None` where the memory of its character fades: then
/// only a model chooses what is remembered.
pub(crate) fn said_episode(world: &World, run: Entity, exchange: &Exchange) -> Option<Episode> {
    let npc = world.get::<Run>(run)?.npc_entity();
    let limits = limits_of(world, npc);
    if limits.memory == Memory::Fading {
        return None;
    }
    let view = WorldView::new(world);
    let speaker = Some(&*exchange.speaker).filter(|id| !id.is_empty());
    let name = speaker.map(|id| view.name_of(id).unwrap_or_else(|| id.to_owned()));
    Some(Episode {
        significance: Millionths::nearest(limits.said_significance),
        text: text(
            exchange,
            name.as_deref(),
            &lexicon_of(world, Some(npc)).prompt,
        ),
        ..episode_of(world, run)?
    })
}

/// `NAME: ".." You: ".."`. An event is in parentheses, and a silent side is left out.
fn text(exchange: &Exchange, name: Option<&str>, words: &PromptWords) -> String {
    let heard = match (name, exchange.heard.is_empty()) {
        (Some(name), _) => format!("{name}: \"{}\"", exchange.heard),
        (None, true) => words.get("happened").to_owned(),
        (None, false) => format!("({})", exchange.heard),
    };
    let text = match exchange.answered.is_empty() {
        true => heard,
        false => format!("{heard} {}: \"{}\"", words.get("you"), exchange.answered),
    };
    text.chars().take(MAX_MEMORY_CHARS).collect()
}
