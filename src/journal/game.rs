//! A whole game as plain data: out of an app, and back into one.

pub(crate) mod capture;
pub(crate) mod inputs;
#[cfg(feature = "store")]
pub(in crate::journal) mod kept_assets;
pub(crate) mod saved_game;
