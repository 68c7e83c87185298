//! A save that the game asked for: its state, and the event that says how it ended.

use crate::base::lock::lock;
use crate::journal::store::StoreError;
use crate::outbox::send;
use bevy::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// The most saves that may be on their way at once.
pub const MAX_PENDING_SAVES: usize = 8;

/// Why a game is not saved. An older save at the same path is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error, Reflect)]
#[reflect(opaque)]
#[non_exhaustive]
pub enum SaveGameError {
    /// The game has left out the plugin of saves.
    #[error("LeftOut: this game has left out SavesPlugin: do not disable it in DramatisPlugins")]
    LeftOut,
    /// The file of the save cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal of the game has stopped, so it does not hold the current game any more. The text says why it stopped, for
    /// people.
    #[error("the journal has stopped, so it cannot be saved: {0}")]
    Stopped(String),
    /// 8 saves are on their way already.
    #[error("{MAX_PENDING_SAVES} saves are being written already")]
    TooMany,
    /// The system cannot start a thread for the save. The text is the system's own.
    #[error("no thread can be started for the save: {0}")]
    NoThread(String),
    /// The time that [`save_game_blocking`](crate::testing::save_game_blocking) was given is over. A copy that had begun may still
    /// replace the older save.
    #[error("{}: the disk takes too long", .0.display())]
    TooSlow(PathBuf),
    /// The app ended, or the thread that wrote the save did, before the save was complete.
    #[error("{}: the save was given up before it was complete", .0.display())]
    GivenUp(PathBuf),
}

/// A game is saved: the file is complete, and on the disk. Sent once for each command
/// [`save_game`](crate::journal::SaveCommandsExt::save_game) that succeeds, in the schedule `Last`.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
pub struct GameSaved {
    /// The file that holds the save.
    pub path: PathBuf,
    /// How many records the file holds, the checkpoint included.
    pub records: u64,
}

/// A game is not saved. Sent once for each command [`save_game`](crate::journal::SaveCommandsExt::save_game) that fails: at once
/// where it cannot even begin, else in the schedule `Last`.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
pub struct SaveFailed {
    /// The file. An older save there is as it was.
    pub path: PathBuf,
    /// Why the game is not saved.
    pub error: SaveGameError,
}

/// The state of a save, as [`SaveTicket::state`] returns it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveState {
    /// It is on its way: it waits for what was asked for before it, or its file is being written.
    Pending,
    /// It is complete, and on the disk.
    Saved(GameSaved),
    /// It failed. An older save at the same path is as it was.
    Failed(SaveGameError),
}

/// A save that was asked for. Clones are of the same save. Dropping it changes nothing: the save goes on.
#[derive(Debug, Clone)]
pub struct SaveTicket(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    state: Mutex<SaveState>,
    finished: Condvar,
    abandoned: AtomicBool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, SaveState> {
        lock(&self.state)
    }
}

impl SaveTicket {
    /// A ticket, and the other end for the code that writes the file.
    pub(in crate::journal) fn new(path: &Path) -> (Self, SaveReporter) {
        let shared = Arc::new(Shared {
            path: path.to_path_buf(),
            state: Mutex::new(SaveState::Pending),
            finished: Condvar::new(),
            abandoned: AtomicBool::new(false),
        });
        (Self(shared.clone()), SaveReporter(shared))
    }

    /// The file that the game is saved to.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The current state of the save. It never waits.
    #[must_use]
    pub fn state(&self) -> SaveState {
        self.0.state().clone()
    }

    /// Its state when it is finished, or when this time is over.
    pub(in crate::journal) fn wait(&self, timeout: Duration) -> SaveState {
        let state = self.0.state();
        let pending = |state: &mut SaveState| *state == SaveState::Pending;
        let waited = self.0.finished.wait_timeout_while(state, timeout, pending);
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// A save that has not begun is not made any more.
    pub(in crate::journal) fn abandon(&self) {
        self.0.abandoned.store(true, Ordering::Release);
    }
}

/// The end of a [`SaveTicket`] that the writer has. Dropped without a word, it says that the save was given up.
#[derive(Debug)]
pub(in crate::journal) struct SaveReporter(Arc<Shared>);

impl SaveReporter {
    /// The file to write.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether any code still wants the save.
    pub fn is_wanted(&self) -> bool {
        !self.0.abandoned.load(Ordering::Acquire)
    }

    /// Says how the save ended: with how many records, or why not.
    pub fn finish(self, result: Result<u64, SaveGameError>) {
        self.set(match result {
            Ok(records) => SaveState::Saved(GameSaved {
                path: self.0.path.clone(),
                records,
            }),
            Err(error) => SaveState::Failed(error),
        });
    }

    fn set(&self, end: SaveState) {
        let mut state = self.0.state();
        if *state == SaveState::Pending {
            *state = end;
            self.0.finished.notify_all();
        }
    }
}

impl Drop for SaveReporter {
    fn drop(&mut self) {
        self.set(SaveState::Failed(SaveGameError::GivenUp(
            self.0.path.clone(),
        )));
    }
}

/// Saves whose end was not announced yet, in the order in which they were asked for.
#[derive(Resource, Debug, Default)]
pub(in crate::journal) struct PendingSaves(Vec<SaveTicket>);

impl PendingSaves {
    /// Whether no other save may be asked for now. Saves that have ended do not count.
    pub fn is_full(&self) -> bool {
        let pending = self.0.iter();
        let pending = pending.filter(|ticket| ticket.state() == SaveState::Pending);
        pending.count() >= MAX_PENDING_SAVES
    }

    pub fn add(&mut self, ticket: SaveTicket) {
        self.0.push(ticket);
    }
}

/// Adds what announces the end of saves.
pub(crate) fn register_saves(app: &mut App) {
    app.init_resource::<PendingSaves>().add_systems(
        Last,
        announce_saves.run_if(|pending: Res<PendingSaves>| !pending.0.is_empty()),
    );
}

fn announce_saves(world: &mut World) {
    let tickets = std::mem::take(&mut world.resource_mut::<PendingSaves>().0);
    for ticket in tickets {
        match ticket.state() {
            SaveState::Pending => world.resource_mut::<PendingSaves>().add(ticket),
            SaveState::Saved(event) => send(world, event),
            SaveState::Failed(error) => {
                log::error!("the game is not saved: {error}");
                let path = ticket.path().to_path_buf();
                send(world, SaveFailed { path, error });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j3_a_save_that_nobody_finishes_is_given_up() {
        let (ticket, reporter) = SaveTicket::new(Path::new("a.save"));
        assert_eq!(ticket.state(), SaveState::Pending);
        assert_eq!(ticket.wait(Duration::ZERO), SaveState::Pending);
        drop(reporter);
        let given_up = SaveState::Failed(SaveGameError::GivenUp("a.save".into()));
        assert_eq!(ticket.state(), given_up);
    }

    #[test]
    fn j3_the_first_end_of_a_save_stays() {
        let (ticket, reporter) = SaveTicket::new(Path::new("a.save"));
        reporter.finish(Ok(3));
        let saved = SaveState::Saved(GameSaved {
            path: "a.save".into(),
            records: 3,
        });
        assert_eq!(ticket.wait(Duration::from_secs(1)), saved);
    }
}
