//! A sealed run: an input file, one untrusted proposal set, one decision, and at most one effect.
//!
//! ```sh
//! echo "create payment" > wish.txt
//! cargo run --example sealed -- wish.txt --out run     # decision=ACCEPT executed=true
//! cargo run --example sealed -- --wrap run             # which output is authoritative
//! cargo run --example sealed -- --compare run run      # EQUIVALENT
//! ```
//!
//! The engine is bound here, in the program, and no flag changes it. A REJECT is a result, not an error: it exits with 0
//! and writes no `stdout.raw.kv`.
//!
//! | file | what it holds |
//! |---|---|
//! | `arguments.rs` | the command line, read |
//! | `cli.rs` | one run from input file to exit status |
//! | `generator.rs` | the engine: fixed phrases into a proposal |
//! | `json.rs` | JSON, read strictly and written in one way only |
//! | `proposal_set.rs` | untrusted bytes into typed proposals, or codes |
//! | `order.rs` | the order machine as data |
//! | `decide.rs` | the decision table |
//! | `artifact.rs` | the decision, written down |
//! | `artifact_rules.rs` | what a valid artifact is |
//! | `gateway.rs` | the only way from an artifact to an effect |
//! | `records.rs` | ids, trace and manifest |
//! | `wrapper.rs` | finished runs, seen from outside |

#[path = "demo.rs"]
mod demo;

use bevy_dramatis::engine::SealedSeam;
use demo::{cli, generator};
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let engine = SealedSeam::bound(generator::propose);
    // Not locked: an engine that panics on its own thread must get its message out while we wait for it.
    cli::run(&args, &mut io::stdout(), &mut io::stderr(), &engine).into()
}
