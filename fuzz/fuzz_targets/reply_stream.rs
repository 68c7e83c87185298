//! Any bytes, in any chunks: the same parts, and at the end what the whole reply says.
#![no_main]

use bevy_dramatis::proposal::check_stream;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| check_stream(data));
