//! Drives an engine's calls without an app, frame by frame, in bounded loops: a hang is a failed test.

use bevy::tasks::IoTaskPool;
use bevy_dramatis::base::Millis;
use bevy_dramatis::engine::{EngineCall, EngineError, EngineEvent};
use bevy_dramatis::proposal::Finish;
use std::time::Duration;

/// Longer than any test needs: about a minute.
const MOST_ROUNDS: usize = 60_000;

/// One frame: polls the call, and ticks the pool as Bevy does for its single-threaded one.
pub fn frame(call: &mut EngineCall) -> Option<EngineEvent> {
    tick();
    call.poll(Millis(0))
}

/// Ticks the pool and lets a millisecond pass.
pub fn tick() {
    if let Some(pool) = IoTaskPool::try_get() {
        pool.with_local_executor(|executor| {
            (0..100).for_each(|_| {
                let _ = executor.try_tick();
            });
        });
    }
    std::thread::sleep(Duration::from_millis(1));
}

/// Ticks until something has happened.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    assert!(
        (0..MOST_ROUNDS).any(|_| {
            tick();
            done()
        }),
        "never happened: {what}"
    );
}

/// Plays a call to its end: its chunks, and how it ended.
pub fn play(mut call: EngineCall) -> (Vec<Vec<u8>>, Result<Finish, EngineError>) {
    let mut chunks = Vec::new();
    for _ in 0..MOST_ROUNDS {
        match frame(&mut call) {
            None => {}
            // The engine shows that it works, and no more.
            Some(EngineEvent::Chunk(chunk)) if chunk.is_empty() => {}
            Some(EngineEvent::Chunk(chunk)) => chunks.push(chunk),
            Some(EngineEvent::Reasoning(_) | EngineEvent::Usage(_)) => {}
            Some(EngineEvent::Finished(finish)) => return (chunks, Ok(finish)),
            Some(EngineEvent::Failed(error)) => return (chunks, Err(error)),
        }
    }
    panic!("the call never ended");
}
