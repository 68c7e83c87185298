use super::*;
use crate::base::lock::lock;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::thread;
use std::time::Instant;

fn ask(seam: &SealedSeam, input: &[u8]) -> Vec<u8> {
    seam.call().propose(input).into_bytes()
}

/// Sixteen calls from as many threads, for an engine that says what it hears.
fn assert_answers_all_at_once(seam: &SealedSeam) {
    thread::scope(|scope| {
        for number in 0..16_u8 {
            let call = seam.call();
            scope.spawn(move || assert_eq!(call.propose(&[number]).into_bytes(), [number]));
        }
    });
}

/// An engine that waits until it is let go, and a handle that lets it go.
fn stuck_engine() -> (
    impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static,
    mpsc::Sender<()>,
    Arc<AtomicUsize>,
) {
    let (let_go, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let engine = move |input: &[u8]| {
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            let gate = lock(&gate);
            let _ = gate.recv();
        }
        thread::sleep(Duration::from_millis(2));
        input.to_vec()
    };
    (engine, let_go, calls)
}

#[test]
fn bytes_pass_unchanged() {
    let seam = SealedSeam::bound(|input: &[u8]| input.to_vec());
    for bytes in [&b"abc"[..], b"", b"\xff\x00\xfe", &[7; 4096]] {
        assert_eq!(ask(&seam, bytes), bytes);
    }
    assert_eq!(seam.faults(), 0);
}

#[test]
fn an_empty_reply_is_no_fault() {
    let seam = SealedSeam::bound(|_: &[u8]| Vec::new());
    assert!(ask(&seam, b"x").is_empty());
    assert_eq!(seam.faults(), 0);
}

#[test]
fn no_engine_is_empty() {
    let seam = SealedSeam::unbound();
    assert!(ask(&seam, b"x").is_empty());
    assert_eq!(seam.faults(), 1);
}

#[test]
fn a_panic_is_empty_and_the_seam_lives_on() {
    let seam = SealedSeam::bound(|input: &[u8]| {
        assert_ne!(input, b"boom", "asked to");
        b"fine".to_vec()
    });
    assert!(ask(&seam, b"boom").is_empty());
    assert_eq!(ask(&seam, b"calm"), b"fine");
    assert_eq!(seam.faults(), 1);
}

#[test]
fn a_panic_payload_that_panics_again_is_empty_too() {
    struct Spiteful;
    impl Drop for Spiteful {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    let seam = SealedSeam::bound(|input: &[u8]| {
        if input == b"boom" {
            std::panic::panic_any(Spiteful);
        }
        input.to_vec()
    });
    assert!(ask(&seam, b"boom").is_empty());
    assert_eq!(ask(&seam, b"calm"), b"calm");
}

#[test]
fn a_reply_at_the_cap_passes_and_one_over_it_is_empty() {
    let seam = SealedSeam::bound(|input: &[u8]| input.to_vec()).with_reply_cap(4);
    assert_eq!(ask(&seam, b"1234"), b"1234");
    assert!(ask(&seam, b"12345").is_empty());
    assert_eq!(seam.faults(), 1);
}

#[test]
fn the_default_cap_is_one_mebibyte() {
    let seam = SealedSeam::bound(|input: &[u8]| input.to_vec());
    assert_eq!(ask(&seam, &vec![b'a'; 1024 * 1024]).len(), 1024 * 1024);
    assert!(ask(&seam, &vec![b'a'; 1024 * 1024 + 1]).is_empty());
}

#[test]
fn a_late_answer_is_dropped_and_no_second_thread_starts_behind_it() {
    let (engine, let_go, calls) = stuck_engine();
    let seam = SealedSeam::bound(engine).with_patience(Duration::from_millis(50));
    assert!(ask(&seam, b"late").is_empty());

    // Patience has no part in it: after an abandoned call the answer is empty at once.
    let patient = seam.with_patience(Duration::from_secs(600));
    let began = Instant::now();
    assert!(ask(&patient, b"behind").is_empty());
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_eq!(patient.faults(), 2);

    // The stray call ends, and the seam answers again, with nothing left over from it.
    let_go.send(()).unwrap();
    let began = Instant::now();
    while patient.0.desk.as_ref().unwrap().is_stuck() && began.elapsed() < Duration::from_secs(60) {
        thread::yield_now();
    }
    assert_answers_all_at_once(&patient);
}

#[test]
fn a_caller_that_waits_behind_a_call_goes_home_when_that_call_is_abandoned() {
    let (engine, let_go, calls) = stuck_engine();
    let seam = SealedSeam::bound(engine).with_patience(Duration::from_millis(300));
    let second = {
        let impatient = seam.call();
        let patient = seam.with_patience(Duration::from_secs(600)).call();
        let first = thread::spawn(move || impatient.propose(b"first").into_bytes());
        while calls.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        let second = patient.propose(b"second").into_bytes();
        assert!(first.join().unwrap().is_empty());
        second
    };
    assert!(second.is_empty());
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let_go.send(()).unwrap();
}

#[test]
fn a_call_behind_too_many_others_is_empty_at_once() {
    let (engine, let_go, calls) = stuck_engine();
    let seam = SealedSeam::bound(engine);
    let mut started = vec![seam.call().start(Vec::new(), |_| ())];
    while calls.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    started.extend((0..desk::MOST_WAITING).map(|_| seam.call().start(Vec::new(), |_| ())));
    assert_eq!(seam.faults(), 0, "so many wait");
    assert!(ask(&seam, b"one more").is_empty());
    assert_eq!(seam.faults(), 1);
    let_go.send(()).unwrap();
}

#[test]
fn calls_from_many_threads_all_get_their_own_answer() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (now, peak) = (Arc::clone(&running), Arc::clone(&most));
    let seam = SealedSeam::bound(move |input: &[u8]| {
        peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(2));
        now.fetch_sub(1, Ordering::SeqCst);
        input.to_vec()
    });
    assert_answers_all_at_once(&seam);
    assert_eq!(most.load(Ordering::SeqCst), 1, "one call at a time");
    assert_eq!(seam.faults(), 0);
}

#[test]
fn a_call_outlives_the_seam_it_came_from() {
    let call = SealedSeam::bound(|_: &[u8]| b"abc".to_vec()).call();
    assert_eq!(call.propose(b"").into_bytes(), b"abc");
}

#[test]
fn an_endless_patience_does_not_overflow() {
    let seam = SealedSeam::bound(|_: &[u8]| b"abc".to_vec()).with_patience(Duration::MAX);
    assert_eq!(ask(&seam, b""), b"abc");
}

#[test]
fn nothing_shows_content() {
    let seam = SealedSeam::bound(|_: &[u8]| b"secret".to_vec());
    assert_eq!(format!("{:?}", seam.call()), "SealedCall(..)");
    let bytes = seam.call().propose(b"");
    assert_eq!(format!("{bytes:?}"), "ProposalBytes(..)");
    assert!(format!("{seam:?}").contains("bound: true"));
}
