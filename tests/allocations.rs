//! F2: what a run allocates. Unlike a time it is the same on every machine, so that a test can judge it.

#[path = "../benches/ratios/hall.rs"]
mod hall;

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use hall::{Ready, hall, last_prompt, say};

/// The most that a run may allocate, in bytes.
const MOST: u64 = 64 * 1_024;

#[test]
fn f2_a_run_allocates_at_most_64_kib() {
    let mut game = hall(Ready, 1_000, 100);
    // Everything on this thread, whose allocations are counted.
    let mut schedules = game.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    for _ in 0..20 {
        say(&mut game);
    }
    let idle = allocation_counter::measure(|| game.update());
    let runs: Vec<u64> = (0..20)
        .map(|_| allocation_counter::measure(|| say(&mut game)).bytes_total)
        .collect();
    assert!(last_prompt(&game).contains("rule 99"));
    println!("a frame: {} bytes; runs: {runs:?}", idle.bytes_total);
    assert!(runs.iter().all(|bytes| *bytes <= MOST), "{runs:?}");
}
