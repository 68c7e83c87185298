//! Characters that speak and act through a language model, in a world that no model can corrupt.

pub mod authoring;
pub mod canonical;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod counters;
pub mod engine;
pub mod events;
pub mod fixed;
pub mod format;
pub mod gate;
pub mod ids;
pub mod memory;
pub mod npc;
pub mod pipeline;
pub mod plugin;
pub mod prelude;
pub mod proposal;
pub mod rules;
pub mod scenario;
pub mod story;
pub mod text;
pub mod world;
