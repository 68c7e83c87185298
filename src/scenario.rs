//! Scenarios: a file plays a scene with scripted replies and states the expected result.
//!
//! A file is read and checked whole before the runner plays anything. Steps that are not supported yet are refused by name.
//! The runner plays the scene through the plugin that a game adds, and moves the clock itself: nothing sleeps, and equal
//! input gives an equal trace on any machine.
//!
//! | item | for |
//! |---|---|
//! | [`Scenario`] | a file, read and checked |
//! | [`play`] | plays it, and says which expectations did not hold |
//! | [`record`](record()) | plays it with a journal, for a replay |
//! | `scenario_of` | a recorded run, turn or plan as a scenario that begins from the recorded game |
//! | [`scenario_files`] | the scenario files of a folder |
//!
//! [The page on files](crate::guide::files) has every key of a scenario.
//!
//! A scenario says how everything is at first, or begins from a recording: `from: "game.dramatis", at: 812`.
//!
//! A game plays its scenarios in its own `cargo test`:
//!
//! ```
//! use bevy_dramatis::authoring::NoFiles;
//! use bevy_dramatis::scenario::{Scenario, play};
//! use bevy_dramatis::world::ActionRegistry;
//! let source = r#"Scenario(
//!     name: "the wizard greets",
//!     npcs: [(id: "wizard")],
//!     replies: [Say("Well met.")],
//!     steps: [Say(to: "wizard", text: "Hello?")],
//!     expect: [(at: "/runs/0/dialogue", is: "Well met.")],
//! )"#;
//! let scenario = Scenario::parse(source.as_bytes(), "greets.scenario.ron", &NoFiles, &ActionRegistry::default()).unwrap();
//! assert_eq!(play(&scenario, &|_| {}).failed, []);
//! ```

mod app;
mod beginning;
#[cfg_attr(
    not(any(feature = "cli", feature = "inspector")),
    allow(
        dead_code,
        reason = "the command line and the inspector alone ask for it"
    )
)]
mod changed_rules;
mod expect;
mod load;
#[cfg_attr(
    not(feature = "inspector"),
    allow(dead_code, reason = "the inspector alone asks for it")
)]
mod of_record;
pub(crate) mod own_story;
mod runner;
pub(crate) mod spec;
mod step_checks;
mod trace;

pub(crate) use app::registry_of;
#[cfg(feature = "cli")]
pub(crate) use app::{Additions, app_with};
#[cfg(feature = "cli")]
pub(crate) use beginning::NotBegun;
pub(crate) use expect::Expectation;
pub use expect::FailedExpectation;
pub use load::{Scenario, scenario_files};
#[cfg(test)]
pub(crate) use of_record::NoScenario;
#[cfg(any(test, feature = "inspector"))]
pub(crate) use of_record::{RecordedScenario, ScenarioWish, scenario_of};
#[cfg(feature = "cli")]
pub(crate) use runner::ScenarioRunner;
pub use runner::{ScenarioResult, play, record};
pub(crate) use spec::{ScenarioSpec, StepSpec};
#[cfg(feature = "cli")]
pub(crate) use step_checks::step_problems;

#[cfg(test)]
mod tests;
