//! The world, the story and the characters, as the recording has them.

use super::error::NoScenario;
use super::opening::Opening;
use super::text::{list, map, placement, quoted, value};
use crate::authoring::asset_source::AssetSource;
use crate::authoring::files::FileSource;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::format::{AuthoringError, SourceText, parse_ron};
use crate::gate::CanonJudge;
use crate::journal::ReplayError;
use crate::journal::game::capture::Assets;
use crate::limits::Limits;
use crate::memory::SavedMind;
use crate::world::{EntityView, LocationView, WorldState};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a story and a scenario both say, but for how the world is: that is as it was found.
const SHARED: [&str; 8] = [
    "rulebook",
    "canon",
    "rules",
    "custom_rules",
    "triggers",
    "limits",
    "lexicon",
    "lore",
];

/// The fields of a scenario that say what there is.
pub(super) fn written(
    opening: &Opening,
    assets: &Assets,
    files: &dyn FileSource,
) -> Result<String, NoScenario> {
    let game = &opening.game;
    let story = game.story.as_ref();
    let story = story.map(|hash| source(assets, hash)).transpose()?;
    let mut out = world(&game.world, story.and_then(max_introduced));
    if let Some(source) = story {
        let text = SourceText::from(source.text.as_str());
        for field in SHARED {
            if let Some(words) = text.slice(&format!("/{field}")) {
                let words = with_parts(words, source, files);
                let _ = writeln!(out, "    {field}: {words},");
            }
        }
    }
    out.push_str("    npcs: [\n");
    for (npc, hash) in &game.cast {
        let source = source(assets, hash)?;
        check_mind(npc, source, game.minds.get(npc))?;
        let written = match has_text(files, &source.file, &source.text) {
            true => quoted(&source.file),
            false => with_parts(source.text.trim(), source, files),
        };
        // A text may end with a comment.
        let _ = writeln!(out, "        {written}\n        ,");
    }
    out.push_str("    ],\n");
    Ok(out)
}

fn source<'a>(assets: &'a Assets, hash: &str) -> Result<&'a AssetSource, NoScenario> {
    let missing = || ReplayError::Asset {
        seq: 1,
        why: format!("the source of {hash} is not in the recording"),
    };
    Ok(assets.get(hash).ok_or_else(missing)?)
}

/// Whether the file at a path is this text.
fn has_text(files: &dyn FileSource, path: &str, text: &str) -> bool {
    files
        .read(path)
        .is_ok_and(|(_, bytes)| bytes == text.as_bytes())
}

/// A text in which the files that it names stand in place, where the scenario would not find them.
fn with_parts(text: &str, source: &AssetSource, files: &dyn FileSource) -> String {
    let mut text = text.to_owned();
    // A file that is named may name another one.
    for _ in 0..source.parts.len() {
        for (path, part) in &source.parts {
            let name = quoted(path);
            // One that names itself would never end. One that ends with a comment would swallow what follows.
            if !part.contains(&name) && !has_text(files, path, part) {
                text = text.replace(&name, &format!("{}\n", part.trim()));
            }
        }
    }
    text
}

/// What a character remembers at first is what its file says: a scenario can say nothing else.
fn check_mind(npc: &Id, source: &AssetSource, mind: Option<&SavedMind>) -> Result<(), NoScenario> {
    let Some(mind) = mind else {
        return Ok(());
    };
    let character = source.character();
    let character = character.map_err(|errors| NoScenario::NotRead(first_of(&errors)))?;
    let first = character.first_mind(GameTime(0), &CanonJudge::default(), &Limits::DEFAULT);
    let first = SavedMind::from(&first);
    let ids = |mind: &SavedMind| -> BTreeSet<String> {
        let episodes = mind.episodes.iter().map(|episode| episode.id.clone());
        episodes.chain(mind.beliefs.keys().cloned()).collect()
    };
    let is_new = mind.interactions == 0
        && mind.exchanges.is_empty()
        && mind.relationships.is_empty()
        && mind.states == first.states
        && mind.recent_fallbacks.is_empty()
        && ids(mind).is_subset(&ids(&first));
    match is_new {
        true => Ok(()),
        false => Err(NoScenario::Mind(npc.clone())),
    }
}

fn first_of(errors: &[AuthoringError]) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// How many may be introduced into the world, as its story says it; `None` where it says nothing.
fn max_introduced(story: &AssetSource) -> Option<String> {
    let text = SourceText::from(story.text.as_str());
    let path: Option<String> = parse_ron(text.slice("/world")?.as_bytes(), &story.file).ok();
    let most = match path {
        Some(path) => {
            let file = SourceText::from(story.parts.get(&path)?.as_str());
            file.slice("/max_introduced")?.to_owned()
        }
        None => text.slice("/world/max_introduced")?.to_owned(),
    };
    Some(most)
}

fn world(world: &WorldState, max_introduced: Option<String>) -> String {
    let most = max_introduced.map_or(String::new(), |most| {
        format!("        max_introduced: {most},\n")
    });
    let turn_of = world.turn_of.as_deref().map_or("None".to_owned(), quoted);
    format!(
        "    world: (\n        locations: {},\n        entities: {},\n        flags: {},\n        turn_of: {turn_of},\n{most}    ),\n    \
         world_facts: {},\n",
        map(&world.locations, location),
        map(&world.entities, entity),
        map(&world.flags, bool::to_string),
        map(&world.facts, value),
    )
}

fn location(view: &LocationView) -> String {
    let (name, roads) = (quoted(&view.name), list(&view.connected_to));
    format!("(name: {name}, connected_to: {roads})")
}

fn entity(view: &EntityView) -> String {
    format!(
        "(name: {}, aliases: {}, kind: {}, at: {}, attributes: {})",
        quoted(&view.name),
        list(&view.aliases),
        quoted(&view.kind),
        placement(&view.at),
        map(&view.attributes, value)
    )
}
