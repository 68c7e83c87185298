//! A whole game as plain data: out of an app, and back into one.

pub mod capture;
pub(crate) mod inputs;
#[cfg(feature = "store")]
pub(in crate::journal) mod kept_assets;
pub mod saved_game;
