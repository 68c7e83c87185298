//! Whole runs through the command line: B07, B35 to B37 and B43.

use crate::demo::arguments::{self, Wish};
use crate::support::{
    Place, bytes_of, call, generating, names_in, saying, set_of, status_of_alpha, transition, words,
};
use bevy_dramatis::engine::SealedSeam;
use std::fs;

const ACCEPTED: &str = "decision=ACCEPT executed=true\n";

#[test]
fn b07_an_engine_with_nothing_to_say_is_a_quiet_reject() {
    let place = Place::new();
    let printed = place.run("status of alpha", "run", &saying(""));
    assert_eq!(printed.stdout, "decision=REJECT reason_code=NO_PROPOSALS\n");
    assert_eq!(printed.exit, 0);
    assert!(!place.exists("run/stdout.raw.kv"));
    assert_eq!(place.json("run/artifact.json")["decision"], "REJECT");
}

/// The source ends in `NO_PROPOSALS` here as well; resolution 3.4.2 distinguishes garbage from silence at every entry.
#[test]
fn b07_garbage_through_the_whole_pipeline_is_invalid() {
    let place = Place::new();
    let printed = place.run("status of alpha", "run", &saying("not json"));
    assert_eq!(
        printed.stdout,
        "decision=REJECT reason_code=INVALID_PROPOSALS\n"
    );
    assert_eq!(printed.exit, 0);
}

#[test]
fn b35_a_garbage_run_leaves_nothing_to_the_next() {
    let valid = || saying(bytes_of(&set_of(vec![status_of_alpha()])));
    let alone = Place::new();
    assert_eq!(alone.run("wish", "run", &valid()).stdout, ACCEPTED);

    let place = Place::new();
    assert_eq!(place.run("wish", "run", &saying("\u{0}garbage")).exit, 0);
    assert_eq!(place.run("wish", "run", &valid()).stdout, ACCEPTED);
    for file in names_in(&alone.path("run")) {
        let name = format!("run/{file}");
        assert_eq!(place.read(&name), alone.read(&name), "{name}");
    }
}

#[test]
fn b36_runs_in_one_folder_are_independent() {
    let place = Place::new();
    let outcomes = [
        (
            "pack order",
            "decision=REJECT reason_code=ILLEGAL_TRANSITION\n",
        ),
        ("create payment", ACCEPTED),
        ("nonsense", "decision=REJECT reason_code=NO_PROPOSALS\n"),
        ("status of alpha", ACCEPTED),
        (
            "status of beta",
            "decision=REJECT reason_code=INVALID_PROPOSALS\n",
        ),
    ];
    let engine = generating();
    for (input, expected) in outcomes {
        let printed = place.run(input, "run", &engine);
        assert_eq!(
            (printed.stdout.as_str(), printed.exit),
            (expected, 0),
            "{input}"
        );
        // The folder of a rejected run has no output of an accepted run any more.
        assert_eq!(
            place.exists("run/stdout.raw.kv"),
            expected == ACCEPTED,
            "{input}"
        );
    }
    assert_eq!(engine.faults(), 0);
}

#[test]
fn b37_arguments_that_nobody_offered_are_refused() {
    let refused: [&[&str]; 11] = [
        &[],
        &["--help"],
        &["-x"],
        &["wish.txt", "--run-id", "x"],
        &["wish.txt", "--engine", "other"],
        &["wish.txt", "--out"],
        &["wish.txt", "--out", "--wrap"],
        &["wish.txt", "other.txt"],
        &["wish.txt", "--out", "a", "--out", "b"],
        &["--wrap"],
        &["--compare", "a"],
    ];
    for args in refused {
        let printed = call(&words(args), &generating());
        assert_ne!(printed.exit, 0, "{args:?}");
        assert_eq!(printed.stdout, "", "{args:?}");
        assert!(printed.stderr.starts_with("usage: "), "{args:?}");
    }
}

#[test]
fn b37_a_missing_input_file_is_a_failure() {
    let place = Place::new();
    let args = [
        place.path("nowhere").into(),
        "--out".into(),
        place.path("run").into(),
    ];
    let printed = call(&args, &generating());
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""));
    assert!(!place.exists("run"));
}

#[test]
fn b37_a_run_needs_only_its_input() {
    let run = |args: &[&str], out: &str| {
        let input = "wish.txt".into();
        let out = out.into();
        assert_eq!(
            arguments::read(&words(args)),
            Some(Wish::Run { input, out })
        );
    };
    run(&["wish.txt"], "sealed-run");
    run(&["wish.txt", "--out", "x"], "x");
    run(&["--out", "x", "wish.txt"], "x");
}

#[test]
fn b43_a_missing_model_is_a_reject_and_no_crash() {
    // A loader does this if its model file is missing or unreadable: it binds nothing.
    let place = Place::new();
    let model = fs::read(place.path("model.gguf"));
    let engine = model.map_or_else(|_| SealedSeam::unbound(), saying);
    let printed = place.run("create payment", "run", &engine);
    assert_eq!(printed.stdout, "decision=REJECT reason_code=NO_PROPOSALS\n");
    assert_eq!(printed.exit, 0);
    assert_eq!(engine.faults(), 1);
}

#[test]
fn an_engine_that_panics_is_a_reject_too() {
    let place = Place::new();
    let engine = SealedSeam::bound(|_: &[u8]| panic!("no mood"));
    let printed = place.run("create payment", "run", &engine);
    assert_eq!(printed.stdout, "decision=REJECT reason_code=NO_PROPOSALS\n");
    assert_eq!(printed.exit, 0);
}

#[test]
fn an_engine_hears_exactly_the_input_once() {
    let place = Place::new();
    let engine = SealedSeam::bound(|input: &[u8]| {
        assert_eq!(input, b" Raw\r\n\tinput ");
        bytes_of(&set_of(vec![transition("create_payment")]))
    });
    assert_eq!(
        place.run(" Raw\r\n\tinput ", "run", &engine).stdout,
        ACCEPTED
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_a_failure() {
    let place = Place::new();
    fs::write(place.path("file"), "").unwrap();
    let printed = place.run("create payment", "file/run", &generating());
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""));

    fs::create_dir_all(place.path("run/stdout.raw.kv")).unwrap();
    let printed = place.run("create payment", "run", &generating());
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""));
}

#[test]
fn a_run_never_overwrites_its_own_input() {
    let place = Place::new();
    fs::create_dir(place.path("run")).unwrap();
    let input = place.path("run/artifact.json");
    fs::write(&input, "create payment").unwrap();
    let args = [input.into(), "--out".into(), place.path("run").into()];
    assert_eq!(call(&args, &generating()).exit, 1);
    assert_eq!(place.read("run/artifact.json"), "create payment");
}

#[test]
fn a_closed_stdout_is_a_failure() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let place = Place::new();
    fs::write(place.path("wish.txt"), "create payment").unwrap();
    let args = [
        place.path("wish.txt").into(),
        "--out".into(),
        place.path("run").into(),
    ];
    // Only closing stderr changes nothing.
    let mut stdout = Vec::new();
    assert_eq!(
        crate::demo::cli::run(&args, &mut stdout, &mut Closed, &generating()),
        0
    );
    assert_eq!(stdout, ACCEPTED.as_bytes());
    assert_eq!(
        crate::demo::cli::run(&args, &mut Closed, &mut Closed, &generating()),
        1
    );
}
