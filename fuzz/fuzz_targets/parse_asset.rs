//! Any bytes of an authored file give an asset or errors with a place. The first byte says what the file is.
#![no_main]

use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::plans::Taxonomy;
use bevy_dramatis::text::Lexicon;
use bevy_dramatis::world::{ActionRegistry, Rulebook};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else {
        return;
    };
    let registry = ActionRegistry::default();
    let errors: Vec<AuthoringError> = match kind % 8 {
        0 => Character::parse(bytes, "a.npc.ron", &NoFiles).err().unwrap_or_default(),
        1 => StoryBook::parse(bytes, "a.story.ron", &NoFiles, &registry).err().unwrap_or_default(),
        2 => Rulebook::parse(bytes, "a.rulebook.ron", &registry).err().into_iter().collect(),
        4 => Character::parse(bytes, "a.npc.json", &NoFiles).err().unwrap_or_default(),
        5 => StoryBook::parse(bytes, "a.story.json", &NoFiles, &registry).err().unwrap_or_default(),
        6 => Rulebook::parse(bytes, "a.rulebook.json", &registry).err().into_iter().collect(),
        7 => Taxonomy::parse(bytes, "a.taxonomy.ron").err().unwrap_or_default(),
        _ => {
            let _ = std::str::from_utf8(bytes).map(Lexicon::parse);
            Vec::new()
        }
    };
    assert!(errors.iter().all(|error| error.line > 0 && error.column > 0));
});
