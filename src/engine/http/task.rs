//! A future of the tokio world as a task on Bevy's IO pool, in both of its forms.

use async_compat::Compat;
use bevy::tasks::{IoTaskPool, Task, TaskPoolBuilder};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs `future` inside a tokio context on the IO pool. Dropping the task cancels it.
///
/// Without Bevy's `multi_threaded` the pool is an executor of the calling thread: the future runs up to its first
/// wait right here, and goes on when the pool is ticked.
pub(super) fn spawn(future: impl Future<Output = ()> + Send + 'static) -> Task<()> {
    // A game has the pool; a tool without Bevy's plugins gets a small one.
    let pool = IoTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(1).build());
    pool.spawn(Guarded(Some(Box::pin(Compat::new(future)))))
}

/// A future that is leaked rather than dropped once its thread's local values are being destroyed.
///
/// The single-threaded pool is such a value. When its thread ends (in a game: the process) with a call in flight,
/// the pool drops the future after tokio's own local values are gone; [`Compat`] would panic there, and a panic
/// in that place aborts the process.
struct Guarded<F>(Option<Pin<Box<Compat<F>>>>);

impl<F: Future<Output = ()>> Future for Guarded<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let done = match &mut self.0 {
            Some(future) => future.as_mut().poll(context),
            None => Poll::Ready(()),
        };
        // After the first poll, so that it is destroyed before tokio's values and the pool: the last made goes first.
        let _ = THREAD_LIVES.try_with(|_| ());
        done
    }
}

impl<F> Drop for Guarded<F> {
    fn drop(&mut self) {
        if THREAD_LIVES.try_with(|_| ()).is_err() {
            std::mem::forget(self.0.take());
        }
    }
}

/// Something that has to be destroyed, so that its destruction can be seen.
struct Sentinel;

impl Drop for Sentinel {
    fn drop(&mut self) {}
}

thread_local! {
    static THREAD_LIVES: Sentinel = const { Sentinel };
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_timer::Delay;
    use std::time::Duration;

    #[test]
    fn r1_a_thread_may_end_with_a_call_in_flight() {
        let ended = std::thread::spawn(|| {
            let wait = || Delay::new(Duration::from_secs(600));
            // One is cancelled and never ticked again, one is never cancelled, one was never polled.
            drop(spawn(wait()));
            spawn(wait()).detach();
            drop(Guarded(Some(Box::pin(Compat::new(wait())))));
        });
        assert!(ended.join().is_ok());
    }
}
