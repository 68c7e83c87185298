//! Any bytes of a reply give a proposal or a typed error, the same each time, and no line is longer than its limit.
#![no_main]

use bevy_dramatis::proposal::{Finish, ParseOptions, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let names = ["Eldrin".to_owned()];
    for finish in [Finish::Stop, Finish::Length] {
        let options = ParseOptions {
            finish,
            speaker_names: &names,
            ..ParseOptions::default()
        };
        let once = parse(data, &options);
        assert_eq!(once, parse(data, &options));
        let Ok(proposal) = once else { continue };
        assert!(proposal.dialogue.chars().count() <= options.line_chars);
    }
});
