//! Characters and stories from RON text or files, and minds and streams as a test wants them.

use crate::adventure::{Message, Stream};
use crate::authoring::files::read_bounded;
use crate::authoring::{Character, FileSource, Files, NoFiles, StoryBook};
use crate::format::AuthoringError;
use crate::memory::Mind;
use crate::npc::LoadedCharacter;
use crate::world::ActionRegistry;
use bevy::prelude::{Entity, World};
use std::path::Path;
use std::sync::Arc;

/// A character from RON text that refers to no other file.
pub(super) fn character(ron: &str) -> LoadedCharacter {
    compiled_character(ron.as_bytes(), "character.npc.ron", &NoFiles)
}

/// A character from a file. Files that it refers to are looked for next to it, then in `assets/`.
pub(super) fn character_from_file(path: &Path) -> LoadedCharacter {
    let (bytes, file) = read(path);
    compiled_character(&bytes, &file, &Files::beside(path))
}

fn compiled_character(bytes: &[u8], file: &str, files: &dyn FileSource) -> LoadedCharacter {
    LoadedCharacter(Arc::new(accept(Character::parse(bytes, file, files))))
}

/// A story from RON text that refers to no other file.
pub(super) fn story(ron: &str, registry: &ActionRegistry) -> StoryBook {
    let book = StoryBook::parse(ron.as_bytes(), "story.story.ron", &NoFiles, registry);
    accept(book)
}

/// A story from a file. Files that it refers to are looked for next to it, then in `assets/`.
pub(super) fn story_from_file(path: &Path, registry: &ActionRegistry) -> StoryBook {
    let (bytes, file) = read(path);
    accept(StoryBook::parse(
        &bytes,
        &file,
        &Files::beside(path),
        registry,
    ))
}

fn read(path: &Path) -> (Vec<u8>, String) {
    let file = path.display().to_string();
    let bytes = read_bounded(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    (bytes, file)
}

fn accept<T>(parsed: Result<T, Vec<AuthoringError>>) -> T {
    parsed.unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", errors.join("\n"))
    })
}

/// A mind with nothing in it: no game can make one.
#[must_use]
pub fn empty_mind() -> Mind {
    Mind::empty()
}

/// Changes the mind of a character in place, without a source and without a judgement, to set up a test. No game can do that:
/// a game writes with [`MindWrite`](crate::npc::MindWrite).
///
/// # Panics
/// When the entity has no mind.
pub fn change_mind<R>(world: &mut World, npc: Entity, change: impl FnOnce(&mut Mind) -> R) -> R {
    let changed = crate::npc::change_mind(world, npc, change);
    changed.expect("the entity is not a character: it has no mind")
}

/// Makes these the messages of the adventure: see [`TestGame::tell`](super::TestGame::tell).
pub(crate) fn fill_stream(world: &mut World, messages: Vec<Message>) {
    let mut stream = Stream::default();
    for message in messages {
        let turn_id = message.turn_id;
        stream.commit(turn_id, vec![message]);
    }
    world.insert_resource(stream);
}
