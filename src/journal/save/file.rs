//! A saved game read from its file, and put in place of the one that is played.

use crate::journal::file::reader::JournalFile;
use crate::journal::game::capture::Assets;
use crate::journal::game::kept_assets::assets_of;
use crate::journal::game::saved_game::SavedGame;
use crate::journal::load::{PutError, put};
use crate::journal::record::RecordKind;
use crate::journal::recording::reading::checkpoint_game;
use crate::journal::store::{Store, StoreError};
use crate::journal::{Recorded, ReplayError};
use bevy::prelude::*;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a game is not loaded. The game that is played goes on as it was, and the file is untouched.
#[derive(Debug, Clone, PartialEq, Eq, Error, Reflect)]
#[reflect(opaque)]
#[non_exhaustive]
pub enum LoadGameError {
    /// The game has left out the plugin of saves.
    #[error("LeftOut: this game has left out SavesPlugin: do not disable it in DramatisPlugins")]
    LeftOut,
    /// The file cannot be read, is damaged, or is of a newer version.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing has been stored in it: it was begun, and the game ended before anything was played. A new game goes on with it.
    #[error("{}: the file is new, and holds no game yet", .0.display())]
    Empty(PathBuf),
    /// The file holds no complete game: a part is missing, unknown or unreadable.
    #[error("{}: {error}", path.display())]
    NoGame {
        /// The file that was read.
        path: PathBuf,
        /// Which part it is, and what is wrong with it.
        error: String,
    },
    /// The story or a character of the running game is still loading from its file.
    #[error("the game's own files are still loading")]
    StillLoading,
    /// No checkpoint has this number in the file.
    #[error("{}: record {seq} is not a checkpoint", path.display())]
    NoCheckpoint {
        /// The file that was read.
        path: PathBuf,
        /// The number that was asked for.
        seq: u64,
    },
    /// The record of the checkpoint cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file that was read.
        path: PathBuf,
        /// Which record it is, and what is wrong with it.
        error: ReplayError,
    },
    /// The game in the file cannot be played: an asset is missing or cannot be used.
    #[error("{}: {error}", path.display())]
    Unplayable {
        /// The file that was read.
        path: PathBuf,
        /// Which asset it is, and what is wrong with it.
        error: String,
    },
}

/// A save that was read and checked, and not loaded yet.
#[derive(Debug)]
pub struct Save {
    path: PathBuf,
    game: SavedGame,
    assets: Assets,
    pub(in crate::journal) records: u64,
}

impl Save {
    /// Reads a save and checks all of it.
    ///
    /// # Errors
    /// See [`LoadGameError`]; the file is untouched.
    pub fn read(path: &Path) -> Result<Self, LoadGameError> {
        let store = Store::read(path)?;
        store.hold_still()?;
        Self::of(&store, path)
    }

    /// What an open file holds, all of it checked.
    pub(in crate::journal) fn of(store: &Store, path: &Path) -> Result<Self, LoadGameError> {
        let verified = store.verify()?;
        if verified.entries == 0 {
            return Err(LoadGameError::Empty(path.to_path_buf()));
        }
        let game =
            SavedGame::from_rows(&store.state()?).map_err(|error| LoadGameError::NoGame {
                path: path.to_path_buf(),
                error: error.to_string(),
            })?;
        let assets = assets_of(store, game.assets())?;
        Ok(Self {
            path: path.to_path_buf(),
            game,
            assets,
            records: verified.entries,
        })
    }

    /// Reads the game as a checkpoint of a journal holds it: that with this record number. [`JournalFile::checkpoints`] lists
    /// them. All of the file is checked.
    ///
    /// # Errors
    /// See [`LoadGameError`]; the file is untouched.
    pub fn read_checkpoint(path: &Path, seq: u64) -> Result<Self, LoadGameError> {
        let file = JournalFile::open(path)?;
        let unreadable = |error| LoadGameError::Unreadable {
            path: path.to_path_buf(),
            error,
        };
        let records = file.verify()?;
        let no_checkpoint = || LoadGameError::NoCheckpoint {
            path: path.to_path_buf(),
            seq,
        };
        let record = match file.record(seq) {
            Err(ReplayError::Missing(_)) => return Err(no_checkpoint()),
            read => read.map_err(unreadable)?,
        };
        if record.kind != RecordKind::Checkpoint {
            return Err(no_checkpoint());
        }
        let game = checkpoint_game(&file, seq).map_err(unreadable)?;
        let assets = file.assets_of(game.assets())?;
        Ok(Self {
            path: path.to_path_buf(),
            game,
            assets,
            records,
        })
    }

    /// The file that it was read from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The game that the save holds, as plain data.
    #[must_use]
    pub fn game(&self) -> &SavedGame {
        &self.game
    }

    pub(in crate::journal) fn into_parts(self) -> (SavedGame, Assets) {
        (self.game, self.assets)
    }

    /// Puts the saved game in place of the current one. Later events are forgotten; runs in flight end as Cancelled, requests
    /// that wait are dropped. The game's own files stay: a save keeps the changes that a later version of the game has made in
    /// them, except for characters that are not in the game, and a story where there is none.
    ///
    /// # Errors
    /// See [`LoadGameError`]; nothing has changed then.
    pub fn load(&self, world: &mut World) -> Result<(), LoadGameError> {
        let path = || self.path.clone();
        put(world, &self.game, &self.assets, path(), self.records).map_err(|error| match error {
            PutError::StillLoading => LoadGameError::StillLoading,
            PutError::Unplayable(error) => LoadGameError::Unplayable {
                path: path(),
                error: error.to_string(),
            },
        })
    }
}
