//! The seam itself: B01 to B06 and B45.
//!
//! Rows B03, B05 and B06 and a part of B01 are about programs that do not compile: `tests/compile_fail/sealed`.

use bevy_dramatis::engine::{ProposalBytes, SealedSeam};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// This test cannot write "Returns str, int, None" of the row: the trait defines what a reply is.
#[test]
fn b01_no_engine_and_a_failing_engine_are_empty_bytes() {
    let troubled = [
        SealedSeam::unbound(),
        SealedSeam::bound(|_: &[u8]| panic!("the engine failed")),
        SealedSeam::bound(|_: &[u8]| std::panic::panic_any(7_i32)),
        SealedSeam::bound(|_: &[u8]| {
            std::thread::sleep(Duration::from_secs(5));
            b"late".to_vec()
        })
        .with_patience(Duration::from_millis(20)),
        SealedSeam::bound(|_: &[u8]| vec![b'a'; 3]).with_reply_cap(2),
    ];
    for seam in troubled {
        assert_eq!(seam.call().propose(b"x").into_bytes(), b"", "{seam:?}");
        assert_eq!(seam.faults(), 1, "{seam:?}");
    }
}

#[test]
fn b02_the_reply_passes_unchanged() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    assert_eq!(seam.call().propose(b"x").into_bytes(), b"abc");
}

/// A second call is a compile error (`tests/compile_fail/sealed/call_used_twice.rs`). This test shows that one use asks the engine once,
/// whatever it answers.
#[test]
fn b03_one_call_asks_the_engine_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let seam = SealedSeam::bound(move |input: &[u8]| {
        counter.fetch_add(1, Ordering::SeqCst);
        assert_ne!(input, b"boom", "asked to");
        Vec::new()
    });
    for (input, expected) in [(&b"boom"[..], 1), (b"nothing", 2)] {
        let _ = seam.call().propose(input);
        assert_eq!(asked.load(Ordering::SeqCst), expected);
    }
}

#[test]
fn b04_two_calls_of_one_seam_both_succeed() {
    let seam = SealedSeam::bound(|input: &[u8]| input.to_vec());
    let (first, second) = (seam.call(), seam.call());
    assert_eq!(second.propose(b"second").into_bytes(), b"second");
    assert_eq!(first.propose(b"first").into_bytes(), b"first");
}

/// `tests/compile_fail/sealed/bytes_*.rs` tests what the types forbid; this test shows what they allow.
#[test]
fn b05_proposal_bytes_give_themselves_whole_and_show_nothing() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec());
    let bytes = seam.call().propose(b"");
    assert_eq!(format!("{bytes:?}"), "ProposalBytes(..)");
    assert_eq!(format!("{bytes:#?}"), "ProposalBytes(..)");
    assert_eq!(bytes.into_bytes(), b"abc");
}

/// Two methods with the name below, one of them for types that can be hashed: the name is unambiguous only for a type that cannot.
trait Hashed<Way> {
    fn is_named() {}
}

struct ByHash;

impl<T: ?Sized> Hashed<()> for T {}
impl<T: ?Sized + std::hash::Hash> Hashed<ByHash> for T {}

#[test]
fn b05_proposal_bytes_cannot_be_hashed() {
    // This would not compile if they could.
    <ProposalBytes as Hashed<_>>::is_named();
}

/// The seam's code, without its comments.
fn seam_code() -> String {
    without_comments(include_str!("../../src/engine/sealed.rs"))
}

fn without_comments(source: &str) -> String {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

fn identifiers(code: &str) -> Vec<&str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

#[test]
fn b45_the_seam_has_one_call_site_and_no_way_to_try_again() {
    let code = seam_code();
    let squeezed: String = code.split_whitespace().collect();
    // The engine goes to the desk, which calls it; the only other mention is on the caller's side.
    assert_eq!(squeezed.matches("Desk::of(engine)").count(), 1);
    assert_eq!(squeezed.matches("propose").count(), 1);
    assert_eq!(squeezed.matches("fnpropose(").count(), 1);
    // Only one path leads there, and no step of it repeats.
    assert_eq!(squeezed.matches(".ask(").count(), 1);
    let words = identifiers(&code);
    for repeating in [
        "loop", "while", "for_each", "map", "repeat", "retry", "attempt", "attempts",
    ] {
        assert!(!words.contains(&repeating), "{repeating}");
    }
    assert_eq!(loops(&code), Vec::<&str>::new());
}

#[test]
fn b45_the_thread_of_a_seam_takes_each_question_once() {
    let code = without_comments(include_str!("../../src/engine/sealed/desk.rs"));
    let squeezed: String = code.split_whitespace().collect();
    for once in ["engine(&question.input)", "fnask(", ".spawn("] {
        assert_eq!(squeezed.matches(once).count(), 1, "{once}");
    }
    let words = identifiers(&code);
    for repeating in ["loop", "while", "repeat", "retry", "attempt"] {
        assert!(!words.contains(&repeating), "{repeating}");
    }
    // The desk moves a question out of the queue, and no code puts it back.
    assert_eq!(squeezed.matches(".try_send(").count(), 1);
    assert_eq!(
        loops(&code),
        ["for question in waiting {", "for question in questions {"]
    );
}

fn loops(code: &str) -> Vec<&str> {
    code.lines()
        .map(str::trim_start)
        .filter(|line| identifiers(line).contains(&"for") && !line.starts_with("impl"))
        .collect()
}

#[test]
fn b45_a_run_of_the_demo_takes_one_call_and_uses_it_once() {
    let code = without_comments(include_str!("demo/cli.rs"));
    assert_eq!(code.matches(".call()").count(), 1);
    assert_eq!(code.matches(".propose(").count(), 1);
    assert!(!identifiers(&code).contains(&"loop"));
}
