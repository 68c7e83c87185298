//! Whose turn it is at a seam: one call at a time, and none while an abandoned one still runs.
//!
//! A turn is given back when it is dropped. The thread of the engine owns it, so that a late engine keeps its turn
//! until it is really done, and a panic gives it back.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The turns of one seam.
#[derive(Default)]
pub(super) struct Turns {
    current: Mutex<Current>,
    changed: Condvar,
}

#[derive(Default)]
struct Current {
    /// Counts turns, so that a caller can only abandon its own.
    ticket: u64,
    running: bool,
    abandoned: bool,
}

impl Turns {
    /// Waits for a turn, at most `patience`. None when the wait was too long, or would be for an abandoned call.
    pub(super) fn take(turns: &Arc<Self>, patience: Duration) -> Option<Turn> {
        let (mut current, _) = turns
            .changed
            .wait_timeout_while(turns.lock(), patience, |current| {
                current.running && !current.abandoned
            })
            .unwrap_or_else(PoisonError::into_inner);
        if current.running {
            return None;
        }
        current.ticket += 1;
        current.running = true;
        Some(Turn {
            turns: Arc::clone(turns),
            ticket: current.ticket,
        })
    }

    /// Notes that nobody waits for this turn any more. Does nothing when the turn is over.
    pub(super) fn abandon(&self, ticket: u64) {
        let mut current = self.lock();
        if current.running && current.ticket == ticket {
            current.abandoned = true;
            self.changed.notify_all();
        }
    }

    #[cfg(test)]
    pub(super) fn is_taken(&self) -> bool {
        self.lock().running
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        // Nothing panics while the lock is held; and a flag is never half-written.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One turn, over when it is dropped.
pub(super) struct Turn {
    turns: Arc<Turns>,
    ticket: u64,
}

impl Turn {
    pub(super) fn ticket(&self) -> u64 {
        self.ticket
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut current = self.turns.lock();
        current.running = false;
        current.abandoned = false;
        self.turns.changed.notify_all();
    }
}
