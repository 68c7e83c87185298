//! Saving and loading a game: one file.
//!
//! A save is a journal with a checkpoint at its end: that of the game, when it keeps one in a file, else a new one with
//! nothing but the checkpoint. Loading takes the state in the file, checked against the chain of its records.
//!
//! Saving never waits for the disk: the file is written by another thread, and an event says when it is complete.

pub(crate) mod file;
pub(crate) mod plugin;
pub(in crate::journal) mod thread;
pub(crate) mod ticket;
pub(crate) mod waiting_load;

use super::ledger::{self, InstalledLedger};
use super::record::CheckpointReason;
use crate::journal::file::plugin::{Journal, process_writer_events, take_entries};
use crate::journal::game::capture::capture;
use crate::journal::save::file::{LoadGameError, Save};
use crate::journal::save::thread::SaveThread;
use crate::journal::save::ticket::{
    GameSaved, PendingSaves, SaveGameError, SaveReporter, SaveState, SaveTicket,
};
use crate::journal::save::waiting_load::load_or_wait;
use bevy::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long [`save_game_blocking`] waits between two looks at a journal whose records wait for the disk.
const LOOK_PAUSE: Duration = Duration::from_millis(1);

/// Saves the game as it is now: the world, memory, counters, seed and time, with the journal so far.
///
/// It takes the game as it is and returns at once; later events are not in the save. Another thread writes the file: the
/// journal's writer, or a separate thread where no journal is kept in a file. [`GameSaved`] or [`SaveFailed`](super::SaveFailed)
/// says when it is done, and the ticket can be asked at any time. An older save at `path` is replaced only when the new one is
/// complete. Saves are made in the order in which the game asked for them. An app that ends waits up to ten seconds for them.
///
/// # Errors
/// [`SaveGameError::LeftOut`], [`SaveGameError::Stopped`], [`SaveGameError::TooMany`] and [`SaveGameError::NoThread`]. What goes wrong later is in the
/// ticket and in the event.
pub fn save_game(world: &mut World, path: &Path) -> Result<SaveTicket, SaveGameError> {
    if !world.contains_resource::<PendingSaves>() {
        return Err(SaveGameError::LeftOut);
    }
    if world.get_resource_or_init::<PendingSaves>().is_full() {
        return Err(SaveGameError::TooMany);
    }
    let (ticket, reporter) = SaveTicket::new(path);
    if world.contains_resource::<Journal>() {
        save_journal(world, reporter)?;
    } else {
        let (game, assets) = capture(world);
        let mut thread = world.get_resource_or_init::<SaveThread>();
        thread.save(game, assets, reporter)?;
    }
    let mut pending = world.get_resource_or_init::<PendingSaves>();
    pending.add(ticket.clone());
    Ok(ticket)
}

/// Saves the game and waits until the file is complete. A running game uses
/// [`save_game`](crate::journal::SaveCommandsExt::save_game).
///
/// # Errors
/// See [`SaveGameError`]; [`SaveGameError::TooSlow`] when the time is over.
pub fn save_game_blocking(
    world: &mut World,
    path: &Path,
    timeout: Duration,
) -> Result<GameSaved, SaveGameError> {
    let began = Instant::now();
    let ticket = save_game(world, path)?;
    loop {
        let left = timeout.saturating_sub(began.elapsed());
        let journal = world.get_resource_mut::<Journal>();
        let waits = journal.is_some_and(|mut journal| journal.flush_some());
        match ticket.wait(if waits { left.min(LOOK_PAUSE) } else { left }) {
            SaveState::Saved(saved) => return Ok(saved),
            SaveState::Failed(error) => return Err(error),
            SaveState::Pending if left.is_zero() => {
                ticket.abandon();
                return Err(SaveGameError::TooSlow(path.to_path_buf()));
            }
            SaveState::Pending => {}
        }
    }
}

/// Asks for a copy of the journal's file, with a checkpoint at its end.
fn save_journal(world: &mut World, reporter: SaveReporter) -> Result<(), SaveGameError> {
    ledger::write_checkpoint(world, CheckpointReason::Saved);
    take_entries(world);
    process_writer_events(world);
    take_entries(world);
    let last = world.resource::<InstalledLedger>().position();
    world.resource_mut::<Journal>().copy(last, reporter)
}

fn can_load(world: &World) -> Result<(), LoadGameError> {
    match world.contains_resource::<PendingSaves>() {
        true => Ok(()),
        false => Err(LoadGameError::LeftOut),
    }
}

/// Loads a game: [`Save::read`] and [`Save::load`]. Of the file that the journal of this very game is kept in, it loads at
/// first the game that the file held when it was opened, and afterwards what it holds now.
///
/// While files of the game itself are still loading, the save waits for them: it is loaded in the first frame in which they are
/// there, and [`GameLoaded`](crate::events::GameLoaded) or [`LoadFailed`](super::LoadFailed) says so. A later call takes its place.
///
/// It reads the file and checks all of it before it returns, which takes longer the longer the journal is. It never waits for
/// the journal's writer, nor for a save that is on its way: of a path that is being saved to, it loads the older save. To keep
/// even the reading off the main thread, call [`Save::read`] on another thread, and then [`Save::load`] here.
///
/// # Errors
/// See [`LoadGameError`]; never [`LoadGameError::StillLoading`].
pub fn load_game(world: &mut World, path: &Path) -> Result<(), LoadGameError> {
    can_load(world)?;
    let journal = world.get_resource_mut::<Journal>();
    let previous = journal.and_then(|mut journal| journal.take_previous(path));
    let save = previous.unwrap_or_else(|| Save::read(path))?;
    load_or_wait(world, save)
}

/// Loads the game as a checkpoint of a journal holds it, by the number of its record:
/// [`JournalFile::checkpoints`](super::JournalFile::checkpoints) lists them. The game forgets later events; the file keeps them.
///
/// # Errors
/// See [`LoadGameError`]; never [`LoadGameError::StillLoading`].
pub fn load_checkpoint(world: &mut World, path: &Path, seq: u64) -> Result<(), LoadGameError> {
    can_load(world)?;
    let save = Save::read_checkpoint(path, seq)?;
    load_or_wait(world, save)
}
