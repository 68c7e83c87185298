//! A future of the tokio world that outlives its thread without harm.

use async_compat::Compat;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The future, inside a tokio context.
pub(super) fn guarded<F: Future<Output = ()>>(future: F) -> impl Future<Output = ()> + use<F> {
    Guarded(Some(Box::pin(Compat::new(future))))
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
    use crate::engine::http::task::spawn;
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
