//! A file in the style of `dramatis fmt` stays as it is when it is formatted again, and says what it said before.
#![no_main]

use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::format::formatted_for_fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else {
        return;
    };
    let once = formatted_for_fuzzing(source);
    assert_eq!(formatted_for_fuzzing(&once), once);
    let read = |source: &str| {
        let npc = Character::parse(source.as_bytes(), "a.npc.ron", &NoFiles).ok()?;
        let examples = npc
            .examples()
            .map(|(said, answer)| format!("{said}\n{answer}"));
        let examples: Vec<String> = examples.collect();
        Some((npc.id, npc.name, npc.persona, examples))
    };
    if let Some(before) = read(source) {
        assert_eq!(read(&once), Some(before));
    }
});
