//! Saving and loading a game: one file (contract rows J3 and M5).
//!
//! A save is a journal with a checkpoint at its end: that of the game, when it keeps one, else a new one with nothing
//! but the checkpoint. Loading takes the state in the file, checked against the chain of its records.

use super::capture::{Assets, capture};
use super::file_plugin::{Journal, JournalState, process_writer_events, take_entries};
use super::ledger::{self, Ledger};
use super::record::{Record, RecordKind};
use super::record_body::into_map;
use super::save_file::{LoadGameError, Save};
use super::saved_game::{SavedGame, checkpoint_bodies};
use super::store::{Commit, Durability, Store, StoreError};
use super::writer::{WriterCommand, folder_of};
use crate::authoring::AssetSource;
use bevy::prelude::*;
use crossbeam_channel::bounded;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a save waits for the journal's writer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a game is not saved. An older save at the same path is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SaveGameError {
    /// The file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal of the game has stopped: what it holds is not the game any more.
    #[error("the journal has stopped, so it cannot be saved: {0}")]
    Stopped(String),
    /// The disk took longer than a minute. A copy that had begun may still take the older one's place.
    #[error("{}: the disk takes too long", .0.display())]
    TooSlow(PathBuf),
}

/// Saves the game: the world, memory, counters, seed and time, with the journal so far.
///
/// It waits until the file is complete; a long journal takes a moment. An older save at `path` is replaced only then.
///
/// # Errors
/// See [`SaveGameError`].
pub fn save_game(world: &mut World, path: &Path) -> Result<(), SaveGameError> {
    if world.contains_resource::<Journal>() {
        return save_journal(world, path);
    }
    let (game, assets) = capture(world);
    let folder = folder_of(path);
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let beside = folder.join(format!(".{name}.{}.new", std::process::id()));
    let written = write_checkpoint(&beside, &game, &assets)
        .and_then(|store| store.copy_to(path))
        .map_err(SaveGameError::from);
    for ending in ["", "-wal", "-shm"] {
        let mut left = beside.clone().into_os_string();
        left.push(ending);
        // It is not there when nothing could be written.
        let _ = std::fs::remove_file(left);
    }
    written
}

fn write_checkpoint(path: &Path, game: &SavedGame, assets: &Assets) -> Result<Store, StoreError> {
    let mut store = Store::create(path, Durability::Process)?;
    let rows = game.rows();
    let (checkpoint, parts) = checkpoint_bodies(game, &rows, "saved", 0);
    let bodies = [checkpoint].into_iter().chain(parts);
    let mut commits: Vec<Commit> = (1..)
        .zip(bodies)
        .map(|(seq, body)| part(seq, game, body))
        .collect();
    if let Some(first) = commits.first_mut() {
        first.state = rows;
        first.replaces_state = true;
        first.blobs = assets.values().map(AssetSource::encoded).collect();
    }
    store.commit(&commits)?;
    Ok(store)
}

fn part(seq: u64, game: &SavedGame, body: Value) -> Commit {
    let kind = if seq == 1 {
        RecordKind::Checkpoint
    } else {
        RecordKind::Part
    };
    let mut record = Record {
        seq,
        kind,
        game: game.session.game,
        subject: None,
        body: into_map(body).unwrap_or_default(),
    };
    record.seal();
    Commit {
        seq,
        kind: kind.name().to_owned(),
        game_ms: record.game.0,
        body: record.encoded(),
        ..Commit::default()
    }
}

fn save_journal(world: &mut World, path: &Path) -> Result<(), SaveGameError> {
    ledger::write_checkpoint(world, "saved");
    take_entries(world);
    process_writer_events(world);
    take_entries(world);
    let least = world.resource::<Ledger>().position();
    let slow = || SaveGameError::TooSlow(path.to_path_buf());
    let began = Instant::now();
    let left = || PATIENCE.saturating_sub(began.elapsed());
    let mut journal = world.resource_mut::<Journal>();
    loop {
        let some = journal.flush_some();
        if let JournalState::Stopped(why) = journal.state() {
            return Err(SaveGameError::Stopped(why.clone()));
        }
        if !some {
            break;
        }
        if left().is_zero() {
            return Err(slow());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let (answer, answered) = bounded(1);
    let wanted = Arc::new(AtomicBool::new(true));
    let command = WriterCommand::CopyTo {
        path: path.to_path_buf(),
        least,
        wanted: wanted.clone(),
        answer,
    };
    let writer = journal.writer.as_ref();
    if !writer.is_some_and(|writer| writer.send_timeout(command, left())) {
        return Err(slow());
    }
    let copied = answered.recv_timeout(left());
    // A copy that has begun goes on; one that waits is not made.
    wanted.store(false, Ordering::Release);
    Ok(copied.map_err(|_| slow())??)
}

/// Loads a game: [`Save::read`] and [`Save::load`]. Of the file that the journal of this very game is kept in, it loads at
/// first the game that the file held when it was opened, and afterwards what it holds now.
///
/// # Errors
/// See [`LoadGameError`].
pub fn load_game(world: &mut World, path: &Path) -> Result<(), LoadGameError> {
    let journal = world.get_resource_mut::<Journal>();
    let previous = journal.and_then(|mut journal| journal.take_previous(path));
    previous.unwrap_or_else(|| Save::read(path))?.load(world)
}
