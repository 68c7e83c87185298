//! Only the gate makes an approval, no code makes trusted types out of outside data, and programs must use the sealed seam as intended
//! (`reference/seeds.md` section 3.3, rows B01, B03, B05, B06).
//!
//! `src/gate/tests/traits.rs` tests that a type lacks a trait. What must not compile is in the folders `approvals` and `sealed`, a small
//! program each, with the expected errors marked on their lines:
//!
//! ```text
//! approved.run = 1; //~ E0616 field `run` of struct `Approved` is private
//! ```
//!
//! The compiler must report these errors and no other, and the program without its marked lines must compile: a program with a spelling
//! mistake proves nothing, and the test finds it.

mod case;
mod compiler;

use case::Case;
use compiler::Compiler;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn an_approval_is_made_by_the_gate_alone() {
    check("approvals");
}

#[test]
fn b01_b03_b05_b06_the_sealed_seam_cannot_be_used_otherwise() {
    check("sealed");
}

/// Checks every program of a folder, with one worker for each core of the machine.
fn check(folder: &str) {
    let cases = Case::read_all(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/compile_fail")
            .join(folder),
    );
    let compiler = Compiler::for_this_crate();
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    let workers = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(cases.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = case.check(&compiler);
                    problems.lock().expect("no worker panicked").extend(found);
                }
            });
        }
    });
    let problems = problems.into_inner().expect("no worker panicked");
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}
