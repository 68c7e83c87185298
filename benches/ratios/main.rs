//! What `bevy_dramatis` costs, as one table of ratios. Each row compares two things in one run, so that a noisy machine disturbs both
//! alike. `benches/README.md` explains the rows.
//!
//! ```text
//! cargo bench -p bevy_dramatis --features store              # every row
//! cargo bench -p bevy_dramatis --features store -- F2 F4     # rows whose names begin so
//! cargo bench -p bevy_dramatis --features store -- --guard   # compares with benches/guard.txt
//! ```
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]
#![allow(
    clippy::cast_precision_loss,
    reason = "figures are rounded when they are printed"
)]

mod adventure;
mod beside;
#[path = "../../tests/support/by_id.rs"]
mod by_id;
mod hall;
#[cfg(feature = "store")]
#[path = "../../tests/support/heard.rs"]
mod heard;
#[cfg(feature = "store")]
mod journal;
#[cfg(feature = "store")]
#[path = "../../tests/support/loading.rs"]
mod loading;
mod memory;
mod rules;
mod scale;
mod table;
mod town;
mod turn;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut table = table::Table::from_arguments(std::env::args().skip(1));
    turn::rows(&mut table);
    memory::rows(&mut table);
    rules::rows(&mut table);
    scale::rows(&mut table);
    world::rows(&mut table);
    town::rows(&mut table);
    adventure::rows(&mut table);
    #[cfg(feature = "store")]
    journal::rows(&mut table);
    #[cfg(not(feature = "store"))]
    println!("the rows of the journal (J1 to J4) need --features store");
    table.finish()
}
