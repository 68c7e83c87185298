//! The whole pipeline in an app without a window, a network or a wall clock (contract rows P, M, G, R).
//!
//! Tests are named after the row that they check. Loops are bounded, so that a hang is a failed test.

#[path = "../support/game.rs"]
mod game;

mod determinism;
mod faults;
mod memory;
mod rules;
mod schedule;
mod sealed;
mod talk;

/// A character with a line for every need.
/// A hall with a door that opens.
const HALL: &str = r#"(world: (
    locations: {"hall": (name: "Hall")},
    entities: {"door": (name: "door", kind: "door", at: In("hall"), attributes: {"openable": true})},
))"#;

const WIZARD: &str = r#"(
    id: "wizard", name: "Eldrin", persona: "You keep the tower.", location: "hall",
    constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, description: "Never speak of the secret.", patterns: ["secret"])],
    memories: [(id: "m1", text: "Ann saved the cat.")],
    fallbacks: (generic: ["Hm."], thinking: ["Let me think."]),
)"#;
