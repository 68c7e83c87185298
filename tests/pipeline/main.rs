//! The whole pipeline in an app without a window, a network or a wall clock (contract rows P, M, G, R).
//!
//! Each test has the name of the row that it checks. Loops are bounded, so that a hang is a failed test.

mod apart;
#[path = "../support/by_id.rs"]
mod by_id;
mod coming_and_going;
mod diary;
mod engine_room;
mod engines;
mod faults;
mod full_pipeline;
mod memory;
mod queue;
mod requests;
mod rules;
mod schedule;
mod sealed;
mod talk;

/// A hall with a door that opens.
const HALL: &str = include_str!("../fixtures/hall.story.ron");
/// A character that must not speak of the secret, and has a fallback line for every case.
const WIZARD: &str = include_str!("../fixtures/wizard.npc.ron");
