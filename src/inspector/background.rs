//! Work on a thread of its own: no frame waits for it.

use crate::base::lock::lock;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Work that is done on another thread, and its last result. At most one piece of work is done at a time. An error is a
/// sentence for people.
#[derive(Debug)]
pub(super) struct Background<T>(Arc<Mutex<State<T>>>);

type Answered<T> = Result<T, String>;

#[derive(Debug)]
enum State<T> {
    Idle,
    Running(JoinHandle<Answered<T>>),
    Answered(Arc<Answered<T>>),
}

/// How far the work is.
pub(super) enum Progress<T> {
    /// Nothing was asked for yet.
    Idle,
    /// It is being done.
    Running,
    /// The result.
    Answered(Arc<Answered<T>>),
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State::Idle)))
    }
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Background<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for Background<T> {}

impl<T: Send + Sync + 'static> Background<T> {
    /// How far it is. It never waits.
    pub(super) fn progress(&self) -> Progress<T> {
        let mut state = lock(&self.0);
        *state = match std::mem::replace(&mut *state, State::Idle) {
            State::Running(thread) if thread.is_finished() => {
                let broken = || Err("The work has broken off: see the log.".to_owned());
                State::Answered(Arc::new(thread.join().unwrap_or_else(|_| broken())))
            }
            other => other,
        };
        match &*state {
            State::Idle => Progress::Idle,
            State::Running(_) => Progress::Running,
            State::Answered(answered) => Progress::Answered(answered.clone()),
        }
    }

    /// Begins, unless something is being done already. `name` is that of the thread.
    pub(super) fn begin(&self, name: &str, work: impl FnOnce() -> Answered<T> + Send + 'static) {
        let mut state = lock(&self.0);
        if matches!(&*state, State::Running(_)) {
            return;
        }
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(work);
        *state = match thread {
            Ok(thread) => State::Running(thread),
            Err(error) => State::Answered(Arc::new(Err(error.to_string()))),
        };
    }
}
