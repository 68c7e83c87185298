//! Any bytes that a server streams give a reply or a typed error, and the same one however they are cut.
#![no_main]

use bevy_dramatis::engine::read_stream_for_fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let whole = read_stream_for_fuzzing(data, data.len());
    for every in [1, 2, 7] {
        assert_eq!(whole, read_stream_for_fuzzing(data, every));
    }
});
