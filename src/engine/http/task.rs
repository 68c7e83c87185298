//! A future of the tokio world as a task on Bevy's IO pool, in all of its forms.

#[cfg(not(target_arch = "wasm32"))]
use super::guarded::guarded;
use bevy::tasks::{ConditionalSendFuture, IoTaskPool, Task, TaskPoolBuilder};

/// Runs `future` inside a tokio context on the IO pool. Dropping the task cancels it.
///
/// Without Bevy's `multi_threaded` the pool is an executor of the calling thread: the future runs up to its first
/// wait right here, and goes on when the pool is ticked. In a browser, which knows no tokio, it is a task of the page.
pub(super) fn spawn(future: impl ConditionalSendFuture<Output = ()> + 'static) -> Task<()> {
    // A game has the pool; a tool without Bevy's plugins gets a small one.
    let pool = IoTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(1).build());
    #[cfg(not(target_arch = "wasm32"))]
    let future = guarded(future);
    pool.spawn(future)
}
