//! Calls that are delayed, held, dropped and made again.

use super::*;
use crate::proposal::Finish;
use std::sync::atomic::AtomicU32;

#[test]
fn a_vanished_sender_is_an_interrupted_call_and_is_told_once() {
    let (sender, receiver) = crossbeam_channel::bounded(1);
    let mut call = EngineCall::new(receiver, ());
    assert_eq!(call.poll(Millis(0)), None);
    drop(sender);
    assert!(matches!(
        call.poll(Millis(0)),
        Some(EngineEvent::Failed(EngineError::Interrupted(_)))
    ));
    assert_eq!(call.poll(Millis(0)), None);
}

#[test]
fn a_delayed_call_answers_exactly_at_its_time_and_a_held_one_when_released() {
    let hold = Arc::new(AtomicBool::new(true));
    let mut call = EngineCall::ready([EngineEvent::Finished(Finish::Stop)])
        .delayed(Millis(5))
        .held(hold.clone());
    assert_eq!(call.poll(Millis(5)), None);
    hold.store(false, Ordering::Release);
    assert_eq!(call.poll(Millis(4)), None);
    assert!(call.poll(Millis(5)).is_some());
}

#[test]
fn p6_dropping_a_call_cancels_it() {
    let cancelled = Arc::new(AtomicBool::new(false));
    struct Guard(Arc<AtomicBool>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    let (_sender, receiver) = crossbeam_channel::bounded(1);
    drop(EngineCall::new(receiver, Guard(cancelled.clone())));
    assert!(cancelled.load(Ordering::Acquire));
}

const LONG: Millis = Millis(1_000);

fn after(delay: i64, text: &str) -> EngineCall {
    let chunk = EngineEvent::Chunk(text.as_bytes().to_vec());
    let end = EngineEvent::Finished(Finish::Stop);
    EngineCall::ready([chunk, end]).delayed(Millis(delay))
}

fn failing() -> EngineCall {
    let error = EngineError::Unreachable("gone".to_owned());
    EngineCall::ready([EngineEvent::Failed(error)])
}

/// All events of a call with their times, polled every five milliseconds.
fn play(mut call: EngineCall) -> Vec<(i64, EngineEvent)> {
    let mut events = Vec::new();
    for time in (0..200).step_by(5) {
        while let Some(event) = call.poll(Millis(time)) {
            events.push((time, event));
        }
    }
    events
}

fn said(at: i64, text: &str) -> Vec<(i64, EngineEvent)> {
    let chunk = EngineEvent::Chunk(text.as_bytes().to_vec());
    vec![(at, chunk), (at, EngineEvent::Finished(Finish::Stop))]
}

#[test]
fn r3_whichever_call_brings_something_first_is_the_call() {
    let again = |first, delays: [i64; 2]| {
        let mut delays = delays.into_iter();
        let start = move |_| after(delays.next().unwrap_or(0), "second");
        play(after(first, "first").asking_again(Millis(50), 2, LONG, start))
    };
    assert_eq!(again(40, [0, 0]), said(40, "first"));
    assert_eq!(again(300, [0, 0]), said(50, "second"));
    assert_eq!(again(300, [300, 10]), said(110, "second"));
    assert_eq!(again(80, [300, 300]), said(80, "first"));
    assert_eq!(again(300, [300, 300]), []);
}

#[test]
fn r3_a_further_call_that_fails_costs_nothing_and_a_first_one_that_fails_leaves_its_place() {
    let calls = play(after(80, "first").asking_again(Millis(50), 2, LONG, |_| failing()));
    assert_eq!(calls, said(80, "first"));
    let error = EngineError::Interrupted("cut".to_owned());
    let first = || EngineCall::ready([EngineEvent::Failed(error.clone())]).delayed(Millis(60));
    let calls = play(first().asking_again(Millis(50), 1, LONG, |_| after(30, "second")));
    assert_eq!(calls, said(80, "second"));
    let alone = play(first().asking_again(Millis(90), 1, LONG, |_| after(30, "second")));
    assert_eq!(alone, [(60, EngineEvent::Failed(error))]);
}

#[test]
fn r1_no_more_calls_are_made_than_allowed_and_a_sign_of_life_ends_it() {
    let made = Arc::new(AtomicU32::new(0));
    let count = |first: EngineCall| {
        made.store(0, Ordering::Release);
        let made = made.clone();
        let all = play(first.asking_again(Millis(20), 2, LONG, move |_| {
            made.fetch_add(1, Ordering::AcqRel);
            after(900, "never")
        }));
        all.len()
    };
    assert_eq!(count(after(900, "never")), 0);
    assert_eq!(made.load(Ordering::Acquire), 2);
    let alive = [(0, ""), (100, "late")]
        .map(|(pause, text)| (Millis(pause), EngineEvent::Chunk(text.as_bytes().to_vec())));
    assert_eq!(
        count(EngineCall::timed(alive)),
        3,
        "two chunks, and an end that was cut"
    );
    assert_eq!(made.load(Ordering::Acquire), 0);
}

#[test]
fn r3_no_call_begins_when_nobody_would_wait_for_it() {
    let mut call = after(300, "first").asking_again(Millis(50), 2, Millis(60), |_| failing());
    // One long frame, in which the time ran out.
    assert_eq!(call.poll(Millis(60)), None);
    let start = |_| after(0, "second");
    let calls = play(after(300, "first").asking_again(Millis(50), 1, Millis(50), start));
    assert_eq!(calls, []);
}

#[test]
fn r3_what_can_happen_next_is_known() {
    let mut call = after(300, "first").asking_again(Millis(50), 1, LONG, |_| after(30, "second"));
    assert_eq!(call.delay(), Millis(50));
    assert_eq!(call.poll(Millis(50)), None);
    assert_eq!(call.delay(), Millis(80));
}
