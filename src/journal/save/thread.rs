//! Saves of a game that keeps no journal in a file: a separate thread writes each, one after the other.

use super::ticket::{SaveGameError, SaveReporter};
use crate::journal::file::fresh_file::write_fresh;
use crate::journal::file::writer::SHUTDOWN_TIMEOUT;
use crate::journal::game::capture::Assets;
use crate::journal::game::saved_game::SavedGame;
use bevy::prelude::Resource;
use crossbeam_channel::{Receiver, bounded};
use std::thread::{self, JoinHandle};

/// The thread of the last save.
#[derive(Resource, Default)]
pub(in crate::journal) struct SaveThread(Option<Running>);

struct Running {
    thread: JoinHandle<()>,
    /// Closed when the thread ends.
    done: Receiver<()>,
}

impl SaveThread {
    /// Writes this game to the reporter's path, after the saves that were asked for before.
    pub(crate) fn save(
        &mut self,
        game: SavedGame,
        assets: Assets,
        reporter: SaveReporter,
    ) -> Result<(), SaveGameError> {
        let previous = self.0.take();
        let (alive, done) = bounded::<()>(1);
        let work = move || {
            if let Some(previous) = previous {
                // A save that panicked has reported its end by itself.
                let _ = previous.thread.join();
            }
            let written = match reporter.is_wanted() {
                true => {
                    write_fresh(reporter.path(), game, &assets, None).map_err(SaveGameError::from)
                }
                false => Err(SaveGameError::GivenUp(reporter.path().to_path_buf())),
            };
            reporter.finish(written);
            drop(alive);
        };
        let thread = thread::Builder::new().name("dramatis save".to_owned());
        let thread = thread.spawn(work);
        let thread = thread.map_err(|error| SaveGameError::NoThread(error.to_string()))?;
        self.0 = Some(Running { thread, done });
        Ok(())
    }
}

impl Drop for SaveThread {
    /// An app that ends waits for its saves, but not without end.
    fn drop(&mut self) {
        if let Some(running) = self.0.take() {
            // Either way it has ended, or is not waited for any longer.
            let _ = running.done.recv_timeout(SHUTDOWN_TIMEOUT);
        }
    }
}
