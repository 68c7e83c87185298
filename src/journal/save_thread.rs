//! Saves of a game that keeps no journal in a file: each is written by a thread of its own, one after the other.

use super::capture::Assets;
use super::record::{CheckpointReason, Record, RecordBody, checkpoint_bodies};
use super::save_ticket::{SaveGameError, SaveReporter};
use super::saved_game::SavedGame;
use super::store::{Commit, Durability, Store, StoreError};
use super::writer::{SHUTDOWN_TIMEOUT, folder_of};
use crate::authoring::AssetSource;
use bevy::prelude::Resource;
use crossbeam_channel::{Receiver, bounded};
use std::path::Path;
use std::thread::{self, JoinHandle};

/// The thread of the last save.
#[derive(Resource, Default)]
pub(super) struct SaveThread(Option<Running>);

struct Running {
    thread: JoinHandle<()>,
    /// Closed when the thread ends.
    done: Receiver<()>,
}

impl SaveThread {
    /// Writes this game to the reporter's path, after the saves that were asked for before.
    pub fn save(
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
                true => write(reporter.path(), game, &assets).map_err(SaveGameError::from),
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

/// Writes a save beside its place, and puts it there when it is complete. Returns the number of records.
fn write(path: &Path, game: SavedGame, assets: &Assets) -> Result<u64, StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder_of(path).join(format!(".{name}.{}.new", std::process::id()));
    let written = write_checkpoint(&beside, game, assets).and_then(|store| {
        store.copy_to(path)?;
        Ok(store.head().seq)
    });
    for ending in ["", "-wal", "-shm"] {
        let mut left = beside.clone().into_os_string();
        left.push(ending);
        // It is not there when nothing could be written.
        let _ = std::fs::remove_file(left);
    }
    written
}

fn write_checkpoint(path: &Path, game: SavedGame, assets: &Assets) -> Result<Store, StoreError> {
    let mut store = Store::create(path, Durability::Process)?;
    let (now, rows) = (game.session.game, game.rows());
    let (checkpoint, parts) = checkpoint_bodies(game, &rows, CheckpointReason::Saved, 0);
    let checkpoint = RecordBody::Checkpoint(Box::new(checkpoint));
    let bodies = std::iter::once(checkpoint).chain(parts.into_iter().map(RecordBody::Part));
    let mut commits: Vec<Commit> = (1..)
        .zip(bodies)
        .map(|(seq, body)| {
            let record = Record::sealed(seq, now, None, &body);
            Commit {
                seq,
                kind: record.kind.name().to_owned(),
                game_ms: now.0,
                body: record.encoded(),
                ..Commit::default()
            }
        })
        .collect();
    if let Some(first) = commits.first_mut() {
        first.state = rows;
        first.replaces_state = true;
        first.blobs = assets.values().map(AssetSource::encoded).collect();
    }
    store.commit(&commits)?;
    Ok(store)
}
