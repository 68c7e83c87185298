//! Any bytes as an export or as the parts of a save give a game or a typed error.
#![no_main]

use bevy_dramatis::journal::{check_rows_for_fuzzing, import};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = import(data);
    // A row for each line: kind, key and value, parted by tabs.
    check_rows_for_fuzzing(&String::from_utf8_lossy(data));
});
