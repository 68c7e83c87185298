//! Any bytes of a reply give a proposal or a typed error, the same each time, and no line is longer than its limit.
#![no_main]

use bevy_dramatis::proposal::check_reply;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| check_reply(data));
