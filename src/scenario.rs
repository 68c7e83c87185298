//! Scenarios: a file plays a scene with scripted replies and states what must come of it.
//!
//! The format is `SCENARIO.md`'s; it is parsed whole, and what is not built yet is refused by name before anything
//! is played. The runner drives the same plugin that a game adds, under one scripted clock; nothing sleeps, and equal
//! input gives an equal trace on any machine.
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
//! assert_eq!(play(&scenario, &|_| {}).broken, []);
//! ```

pub mod expect;
pub mod load;
pub mod runner;
pub mod spec;
pub mod trace;

pub use expect::{Expectation, FailedExpectation};
pub use load::{Scenario, scenario_files};
pub use runner::{ScenarioResult, play, record};
pub use spec::{ScenarioSpec, StepSpec};
