//! Any bytes as a card or a lorebook give files that can be read, or an error.
#![no_main]

use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::cards::import;
use bevy_dramatis::world::ActionRegistry;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(imported) = import([("card.json", data)]) else {
        return;
    };
    for (name, text) in &imported.files {
        if name.ends_with(".npc.ron") {
            let npc = Character::parse(text.as_bytes(), name, &NoFiles);
            npc.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        } else if name.ends_with(".story.ron") {
            let story = StoryBook::parse(text.as_bytes(), name, &NoFiles, &ActionRegistry::default());
            story.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        }
    }
});
