//! Any bytes as an export or as the parts of a save give a game or a typed error.
#![no_main]

use bevy_dramatis::journal::{SavedGame, StateRow};
use bevy_dramatis::journal::import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = import(data);
    // A row for each line: kind, key and value, parted by tabs.
    let text = String::from_utf8_lossy(data);
    let rows = text.lines().map(|line| {
        let mut parts = line.splitn(3, '\t');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        StateRow {
            kind: next(),
            key: next(),
            value: Some(next()),
        }
    });
    let rows: Vec<StateRow> = rows.collect();
    if let Ok(game) = SavedGame::from_rows(&rows) {
        // What was read is written as it was read.
        let again = SavedGame::from_rows(&game.rows());
        assert_eq!(again.as_ref(), Ok(&game));
    }
});
