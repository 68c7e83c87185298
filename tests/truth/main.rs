//! The truth engine: typed actions, a rulebook, and a world that only it can change (contract rows W and G7).

mod actions;
#[path = "../support/game.rs"]
mod game;
mod play;
mod properties;
