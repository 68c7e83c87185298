//! Scenarios of a game in its own tests.

use crate::scenario::{Scenario, play, registry_of, scenario_files};
use bevy::prelude::*;
use std::path::Path;

/// Plays a scenario file, or every `.scenario.ron` file below a folder. `configure` adds what the game adds to its app: its own
/// actions, rules and checks.
///
/// # Panics
/// When there is no scenario, or one cannot be read or does not hold. The message lists everything that is wrong, with its file.
pub fn play_scenarios(path: impl AsRef<Path>, configure: impl Fn(&mut App)) {
    let registry = registry_of(&configure);
    let files = match scenario_files(path.as_ref()) {
        Ok(files) => files,
        Err(error) => panic!("{error}"),
    };
    assert!(
        !files.is_empty(),
        "{}: there is no scenario",
        path.as_ref().display()
    );
    let mut wrong = Vec::new();
    for file in files {
        match Scenario::read(&file, &registry) {
            Ok(scenario) => {
                let failed = play(&scenario, &configure).failed.into_iter();
                wrong.extend(failed.map(|failed| {
                    format!("{}: {}: {}", file.display(), failed.at, failed.message)
                }));
            }
            Err(errors) => wrong.extend(errors.iter().map(ToString::to_string)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
