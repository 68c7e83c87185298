//! Any bytes of a scenario file give a scenario or errors with a place.
#![no_main]

use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::scenario::Scenario;
use bevy_dramatis::world::ActionRegistry;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Err(errors) = Scenario::parse(
        data,
        "fuzz.scenario.ron",
        &NoFiles,
        &ActionRegistry::default(),
    ) {
        assert!(
            errors
                .iter()
                .all(|error| error.line > 0 && error.column > 0)
        );
    }
});
