//! Lines of a dialogue that their characters remember.

use super::follow::Answered;
use super::talk::{YarnTalk, character, speaker};
use super::variables::one_line;
use crate::base::canonical::draw;
use crate::base::ids::Id;
use crate::memory::Mind;
use crate::npc::limits::lexicon_of;
use crate::npc::{LoadedCharacter, MindChange, MindWrite, NewEpisode};
use crate::world::{WorldRead, WorldView, name_key};
use bevy::prelude::*;
use bevy_yarnspinner::events::PresentLine;
use bevy_yarnspinner::prelude::{LocalizedLine, MarkupValue};

/// The most characters of a line that are remembered.
const MOST_CHARS: usize = 1_900;

/// The observer of lines that are shown.
pub(super) fn remember_line(
    shown: On<PresentLine>,
    talks: Query<&YarnTalk>,
    mut commands: Commands,
) {
    let runner = shown.entity;
    if !talks.get(runner).is_ok_and(|talk| talk.remember) {
        return;
    }
    let Some(name) = name_in(&shown.line) else {
        return;
    };
    let words = words_of(&shown.line.text, name);
    let (name, words) = (name.to_owned(), one_line(words));
    commands.queue(move |world: &mut World| remember(world, runner, &name, &words));
}

/// Who speaks a line; `None` where it names no speaker.
fn name_in(line: &LocalizedLine) -> Option<&str> {
    match line.attribute("character")?.property("name")? {
        MarkupValue::String(name) => Some(name.as_str().trim()),
        _ => None,
    }
}

/// What a line says, without the name of its speaker.
fn words_of<'a>(text: &'a str, name: &str) -> &'a str {
    let rest = text.trim_start().strip_prefix(name);
    let words = rest.and_then(|rest| rest.trim_start().strip_prefix(':'));
    words.unwrap_or(text).trim()
}

fn remember(world: &mut World, runner: Entity, name: &str, words: &str) {
    if words.is_empty() {
        return;
    }
    let wanted = name_key(name);
    let mut characters = world.query::<&LoadedCharacter>();
    let called = characters.iter(world).filter(|LoadedCharacter(character)| {
        character.id.as_str() == name || name_key(&character.name) == wanted
    });
    let named: Vec<Id> = called.map(|LoadedCharacter(it)| it.id.clone()).collect();
    let id = match named.as_slice() {
        // The line is the player's or a narrator's.
        [] => return,
        [id] => id.clone(),
        _ => {
            log::warn!(
                "a line of \"{name}\" in a Yarn dialogue is not remembered: several characters have this name. Write the id"
            );
            return;
        }
    };
    // What the character has answered, it remembers already. Its next line that holds the same words is another one.
    let is_answer = world.get::<Answered>(runner).is_some_and(|answered| {
        let line = answered.line.as_str();
        *id == *answered.npc && !line.is_empty() && words.contains(line)
    });
    if is_answer {
        if let Ok(mut runner) = world.get_entity_mut(runner) {
            runner.remove::<Answered>();
        }
        return;
    }
    if let Err(error) = write(world, runner, id, words) {
        log::warn!("a line of \"{name}\" in a Yarn dialogue is not remembered: {error}");
    }
}

/// Writes the memory. Words that the character has said before are not written twice.
fn write(world: &mut World, runner: Entity, npc: Id, words: &str) -> Result<(), String> {
    let episode = format!("yarn-{:016x}", draw(0, "yarn", &[npc.as_str(), words]));
    let entity = character(world, &npc);
    let mind = entity.and_then(|entity| world.get::<Mind>(entity));
    if mind.is_some_and(|mind| mind.episodes.get(&episode).is_some()) {
        return Ok(());
    }
    let speaker = speaker(world, runner)?;
    let words: String = words.chars().take(MOST_CHARS).collect();
    let text = format!(
        "{}: \"{words}\"",
        lexicon_of(world, entity).prompt.get("you")
    );
    let place = WorldView::new(world).place_of(&npc);
    let episode = NewEpisode {
        participants: vec![npc.to_string(), speaker.id.to_string()],
        place: place.map(|place| place.to_string()),
        ..NewEpisode::new(Id::new(episode).map_err(|error| error.to_string())?, text)
    };
    let write = MindWrite::new(npc, MindChange::Remember(episode));
    write.apply_to(world).map_err(|error| error.to_string())
}
