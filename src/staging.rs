//! A story comes to life: its world is put into the ECS, and its triggers fire.

pub(crate) mod firing;
pub(crate) mod install;

pub(crate) use firing::AuthoredTriggers;
pub use install::StoryCommandsExt;
pub(crate) use install::{ensure_location, install_world};
