//! A studio's assistant: plans for a project of files, with the shipped taxonomy `studio`. It plays a scenario and explains every
//! plan: what was understood, each step, risk and quality with their parts, each gate, and the decision.
//!
//! ```text
//! cargo run -p bevy_dramatis --example studio -- examples/studio/fix_bug.scenario.ron
//! ```
//!
//! Exit code 0: the scenario held; 1: it did not; 2: it cannot be read.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example says what it did"
)]

mod paths;
mod project;

use bevy::prelude::*;
use bevy_dramatis::plans::explain;
use bevy_dramatis::prelude::*;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let file = std::env::args().nth(1);
    let file = file.unwrap_or_else(|| "examples/studio/add_feature.scenario.ron".to_owned());
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::silent());
    project::add_studio(&mut app);
    let registry = app.world().resource::<ActionRegistry>().clone();
    let scenario = match Scenario::read(Path::new(&file), &registry) {
        Ok(scenario) => scenario,
        Err(errors) => {
            for error in errors {
                eprintln!("{error}");
            }
            return ExitCode::from(2);
        }
    };
    let result = play(&scenario, &project::add_studio);
    for plan in result.trace["plans"].as_array().into_iter().flatten() {
        println!("{}", explain(plan));
    }
    for failed in &result.failed {
        println!("{file}: {failed}");
    }
    match result.failed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}
