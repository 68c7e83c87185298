//! Days, groups and news: what is true for every town, wherever the player is and however time passes.

mod chance;
mod game;
#[path = "../support/heard.rs"]
mod heard;
#[path = "../support/loading.rs"]
mod loading;
mod questions;
#[path = "../support/resident.rs"]
mod resident;
#[cfg(feature = "store")]
mod saves;
mod soak;
mod towns;

use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use serde_json::Value;

/// Plays a scenario from RON and returns its trace.
pub(crate) fn trace_of(ron: &str) -> Value {
    let scenario = Scenario::parse(ron.as_bytes(), "town", &NoFiles, &ActionRegistry::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{}\n{ron}", errors[0]));
    play(&scenario, &|_| {}).trace
}
