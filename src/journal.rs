//! The journal: everything that happened, written down in the order in which it took effect, kept in one file, and
//! replayed without a model (contract section J).
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! # #[cfg(feature = "store")]
//! use bevy_dramatis::journal::{JournalPlugin, TurnStored, load_game, save_game};
//!
//! # #[cfg(feature = "store")]
//! App::new()
//!     .add_plugins((MinimalPlugins, DramatisPlugins::silent(), JournalPlugin::new("game.dramatis")))
//!     .add_observer(|stored: On<TurnStored>| info!("record {} is on disk", stored.seq));
//! // In an exclusive system, or a command: save_game(world, path)?, load_game(world, path)?.
//! ```
//!
//! # How it is written
//!
//! The pipeline tells of each moment at which it reads or changes the judged world. Before such a moment the ledger looks
//! at what the game has changed since the last one: what came through [`GameWrite`](crate::world::GameWrite) is written down
//! as such, what systems changed in place is found by comparison, and so are characters that came and went, another story,
//! other settings. So a record that depends on a change always stands behind it, and the order of records is the order
//! of effects. What nobody reads is looked at once a second.
//!
//! | file | what it holds |
//! |---|---|
//! | [`record`] | records, their kinds, the seals on what was fed in |
//! | `ledger`, [`record_body`], [`run_timeline`] | how they are made: when, of what, and at which moments a run read the world |
//! | [`saved_game`], [`capture`] | a whole game as plain data, out of an app and back into one |
//! | [`mod@replay`], `inputs`, [`drift`] | everything happens again, and the first field that differs is named |
//! | [`mod@regate`] | old replies, judged by changed rules |
//! | [`mod@export`] | a recording as one file for a bug report, without secrets |
//! | [`plugin`] | a journal in memory |
//! | `file_plugin`, `writer`, `store`, `save`, `journal_file` | a journal in a file (feature `store`): `SQLite`, hash-chained |
//!
//! # What is promised
//!
//! - **Acknowledged is stored.** `TurnStored` comes after the transaction that holds a run's or a turn's record and all its
//!   effects; what was acknowledged survives a kill, and no half turn does.
//! - **No gap is hidden.** When the disk refuses, `JournalStopped` says so once, play goes on, and the journal resumes with
//!   a full checkpoint that says how many records are missing.
//! - **Nothing piles up.** The writer is off the main thread, behind a bounded channel; `JournalBehind` says when records
//!   wait, and a disk that is too slow for good counts as one that refuses.
//! - **A change is noticed.** Every record is chained to all before it, and to the state after it; a replay names the field.
//! - **Only bytes of the model are believed.** A replay asks the recorded game for nothing but its own actions, conditions,
//!   rules and checks in Rust, which `configure` adds once more.
//!
//! # What a replay cannot know
//!
//! A run that began before the journal did, or before a gap, is recorded and does not happen again; what came of it is
//! taken from its record. The words of `act` are replayed as they were parsed. Characters that a game changed in Rust after loading them are replayed
//! as their file has them, and the difference is reported. A custom check that is not pure will differ. `configure` binds
//! world facts, and does not insert the resources that they are bound to.

pub mod capture;
pub mod drift;
pub mod export;
#[cfg(feature = "store")]
pub mod file_plugin;
mod inputs;
#[cfg(feature = "store")]
pub mod journal_file;
mod ledger;
pub mod plugin;
pub mod record;
pub mod record_body;
pub mod regate;
pub mod replay;
pub mod run_timeline;
#[cfg(feature = "store")]
pub mod save;
#[cfg(feature = "store")]
pub mod save_file;
pub mod saved_game;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "store")]
mod writer;

pub use drift::Divergence;
pub use export::{ExportError, Exported, ImportError, ImportProblem, Redaction, export, import};
#[cfg(feature = "store")]
pub use file_plugin::{
    Journal, JournalBehind, JournalPlugin, JournalResumed, JournalState, JournalStopped, TurnStored,
};
#[cfg(feature = "store")]
pub use journal_file::JournalFile;
pub use plugin::{JournalSystems, MemoryJournal, MemoryJournalPlugin};
pub use record::{Record, RecordKind};
pub use regate::{ChangedRules, ChangedVerdict, RegateReport, regate};
pub use replay::{Recorded, Recording, ReplayError, ReplayReport, replay};
pub use run_timeline::{Moment, RunTimeline};
#[cfg(feature = "store")]
pub use save::{SaveGameError, load_game, save_game};
#[cfg(feature = "store")]
pub use save_file::{LoadGameError, Save};
pub use saved_game::SavedGame;
