//! A real instruct model of 135 million parameters, from a Python package, plays a part of the shipped benches (contract rows P14 and X8).

use super::url;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Asks a server that the command line starts the cases whose ids begin like this, in the form `Apart`.
fn bench(file: &str, cases: &[&str]) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/models")
        .join(file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_dramatis"));
    command.env_remove("DRAMATIS_URL");
    command.env("DRAMATIS_SERVER", url("DRAMATIS_TEST_SERVER"));
    command.env("DRAMATIS_GGUF", url("DRAMATIS_TEST_INSTRUCT_GGUF"));
    command
        .arg("bench")
        .arg(file)
        .args(["--form", "Apart", "--json"]);
    for case in cases {
        command.args(["--case", case]);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    result["engines"][0].clone()
}

/// How many percent one figure is of another.
fn percent(result: &Value, part: &str, whole: &str) -> u64 {
    let figure = |name: &str| result[name].as_u64().unwrap();
    figure(part) * 100 / figure(whole)
}

#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn print(result: &Value) {
    for reply in result["replies"].as_array().unwrap() {
        let [case, action, why, line] = ["case", "action", "why", "line"].map(|name| &reply[name]);
        println!("{case} {action} {why} {line}");
    }
    let mut figures = result.clone();
    figures.as_object_mut().unwrap().remove("replies");
    println!("{figures}");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SERVER and DRAMATIS_TEST_INSTRUCT_GGUF"]
fn p14_x8_a_small_instruct_model_speaks_and_acts_when_it_is_asked_in_parts() {
    let talk = bench("talk.bench.ron", &["who", "small"]);
    print(&talk);
    let actions = bench("actions.bench.ron", &[]);
    print(&actions);
    for result in [&talk, &actions] {
        let usable = percent(result, "first_try", "cases");
        assert!(
            usable >= USABLE,
            "{usable} of 100 lines were usable at the first try"
        );
        assert_eq!(result["forbidden"], 0);
    }
    let right = percent(&actions, "right_actions", "judged_actions");
    assert!(right >= RIGHT, "{right} of 100 actions were right");
}

/// The least percentage of lines that are usable at the first try: 17 below that of the machine on which this was written, since another
/// processor rounds differently and the model then says something else.
const USABLE: u64 = 80;
/// The same for right actions, 13 below.
const RIGHT: u64 = 50;
