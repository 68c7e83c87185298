//! The whole pipeline in an app without a window, where only the crate sees what is looked at (contract rows P, M and R).

mod crowds;
mod delivery;
mod determinism;
mod limits;
mod random_replies;
mod removal;

use std::sync::LazyLock;

/// A character that may not speak of the secret, and has a line for every need.
static WIZARD: LazyLock<String> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/wizard.npc.ron");
    std::fs::read_to_string(file).expect("the fixture is there")
});
