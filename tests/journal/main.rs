//! The journal, seen from outside (contract sections J, M5 and X4).

#[path = "../support/game.rs"]
mod game;

mod concurrency;
mod export;
mod mutation;
mod regate;
mod replay;
