//! Any bytes of a reply give a proposal or a typed error, and what is spoken holds no marker that would act.
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
        // What was read once holds nothing more that would act.
        if let Ok(spoken) = parse(proposal.dialogue.as_bytes(), &options) {
            assert!(spoken.intents.is_empty() && spoken.mutations.is_empty(), "{proposal:?}");
        }
    }
});
