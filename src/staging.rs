//! A story comes to life: its world is put into the ECS, and its triggers fire.

pub(crate) mod firing;
pub(crate) mod install;

pub use firing::AuthoredTriggers;
pub use install::{ensure_location, install_world};
