//! F2: what a run allocates. Unlike a time it is the same on every machine, so that a test can judge it.

#[path = "../benches/ratios/hall.rs"]
mod hall;

use hall::{Ready, hall, last_prompt, say};

/// The most that a run may allocate, in bytes. A text or a list that grows counts with each of its sizes.
const MOST: u64 = 64 * 1_024;

#[test]
fn f2_a_run_allocates_at_most_64_kib() {
    let mut game = hall(Ready, 1_000, 100);
    for _ in 0..20 {
        say(&mut game);
    }
    let idle = allocation_counter::measure(|| game.update());
    let runs: Vec<u64> = (0..20)
        .map(|_| allocation_counter::measure(|| say(&mut game)).bytes_total)
        .collect();
    assert!(last_prompt(&game).contains("rule 99"));
    let idle = idle.bytes_total;
    assert!(
        runs.iter().all(|bytes| *bytes <= MOST),
        "a run {runs:?}, a frame {idle}"
    );
    assert_eq!(idle, 0, "a frame in which nothing happens");
}

#[cfg(feature = "inspector")]
#[test]
fn i3_a_closed_inspector_allocates_nothing() {
    let with = |inspector: bool| {
        let mut game = hall(Ready, 100, 10);
        if inspector {
            // The game has begun already.
            bevy::app::Plugin::build(&bevy_dramatis::inspector::InspectorPlugin, &mut game);
            hall::on_one_thread(&mut game);
        }
        for _ in 0..20 {
            say(&mut game);
        }
        let idle = allocation_counter::measure(|| game.update());
        let run = allocation_counter::measure(|| say(&mut game));
        (idle.count_total, run.count_total)
    };
    let (without, inspected) = (with(false), with(true));
    assert_eq!(without, inspected, "in an idle frame, and in a run");
}
