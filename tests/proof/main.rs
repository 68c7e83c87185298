//! Published tests of agents, played here: see `README.md` in this folder.
#![allow(clippy::print_stdout, reason = "the figures are stated")]

mod agentdojo;
mod textworld;
