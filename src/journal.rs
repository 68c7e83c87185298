//! The journal: everything that happened in a game, written down in the order in which it took effect, kept in one file, and
//! replayed without a model.
//!
//! # How to keep one
//!
//! Add [`JournalPlugin`] after [`DramatisPlugins`](crate::plugin::DramatisPlugins). It runs in the schedule of that group.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! # #[cfg(feature = "store")]
//! use bevy_dramatis::journal::{JournalPlugin, JournalStopped, TurnStored};
//!
//! # #[cfg(feature = "store")]
//! App::new()
//!     .add_plugins((MinimalPlugins, DramatisPlugins::silent(), JournalPlugin::new("game.dramatis")))
//!     .add_observer(|stored: On<TurnStored>| info!("record {} is on disk", stored.seq))
//!     .add_observer(|stopped: On<JournalStopped>| warn!("not stored any more: {}", stopped.why));
//! ```
//!
//! Tests, and tools that look at what has just happened, use [`MemoryJournalPlugin`]: it needs no file.
//!
//! # Saving and loading
//!
//! Another thread writes a save, and an event says when it is complete. A load reads and checks the whole file before it changes
//! anything. Neither needs a journal. [`GameSaved`], [`GameLoaded`](crate::events::GameLoaded), [`SaveFailed`] and [`LoadFailed`] say how it ended.
//!
//! ```no_run
//! use bevy::prelude::*;
//! # #[cfg(feature = "store")]
//! use bevy_dramatis::journal::{GameSaved, SaveCommandsExt, SaveFailed};
//!
//! # #[cfg(feature = "store")]
//! fn save(mut commands: Commands) {
//!     commands.save_game("slot1.save");
//! }
//!
//! # #[cfg(feature = "store")]
//! fn load(mut commands: Commands) {
//!     commands.load_game("slot1.save");
//! }
//!
//! # #[cfg(feature = "store")]
//! fn announce(app: &mut App) {
//!     app.add_observer(|saved: On<GameSaved>| info!("saved to {}", saved.path.display()))
//!         .add_observer(|failed: On<SaveFailed>| error!("{}", failed.error));
//! }
//! ```
//!
//! # Starting, and going on
//!
//! A start never destroys the game that the file holds. [`JournalPlugin`] writes to a file with a game in it only once the new game
//! has begun, and until then `load_game` loads the last state of the earlier one, however often the app is started, closed or
//! killed.
//!
//! | what happens | does it begin the game? |
//! |---|---|
//! | a run of a character ends, with any outcome; an actor's turn; an adventure turn; anything about a plan | yes |
//! | a game is loaded, or saved | yes |
//! | the game says so: `Journal::begin_game`, for instance when the player chooses "New game" | yes |
//! | stories and characters are loaded or installed; settings change; a request is refused | no |
//! | systems of the game change facts, components and minds, or apply a [`GameWrite`](crate::world::GameWrite), such as a clock or the weather | no, because no player need be there; in a file without a game: yes, there is nothing to lose |
//!
//! Every request counts, also one of the game itself: a game whose characters talk on the title screen begins then. A game that is
//! played for long without a run or a turn calls `begin_game`, or saves. What a game does before it has begun is in the file as
//! soon as it has.
//! A game that has not begun is no game: a file in which none ever began is `LoadGameError::Empty`. Checkpoints of earlier games
//! stay in the file, and `load_checkpoint` loads each by its number.
//!
//! # Replay, changed rules, bug reports
//!
//! [`replay()`](crate::replay::replay) plays everything again except the model's answers, and names the first field that differs.
//! `regate()` judges the recorded answers by changed rules. [`export()`] writes a recording as one file without secrets, [`import`] reads
//! one. The command line has all of them: `dramatis verify`, `replay`, `regate` and `export`.
//!
//! # What is promised
//!
//! - **Acknowledged is stored.** `TurnStored` comes after the transaction that holds the record of a run or a turn and all its
//!   effects. An acknowledged record survives a kill, and half a turn is never stored.
//! - **No gap is hidden.** When the disk refuses, `JournalStopped` says so once and the game goes on. The journal resumes with
//!   a full checkpoint that says how many records are missing.
//! - **Nothing piles up.** The writer is a separate thread that gets its work over a bounded channel. `JournalBehind` says when
//!   records wait; a disk that stays too slow counts as one that refuses.
//! - **A change is noticed.** Every record is chained to all before it, and to the state after it. A replay names the field.
//! - **Only bytes of the model are believed.** A replay asks the recorded game for nothing but its own actions, conditions,
//!   rules and checks in Rust, which `configure` adds once more.
//!
//! # What a replay cannot know
//!
//! - A run that began before the journal, or before a gap, does not happen again; its result is taken from its record.
//! - The words of `act` are replayed as they were parsed.
//! - Characters that a game changed in Rust after loading them are replayed as their file has them; the difference is reported.
//! - A custom check that is not pure may answer differently.
//! - `configure` binds world facts, and does not insert the resources that they are bound to.
//!
//! # How it works inside
//!
//! The pipeline calls a hook at each moment at which it reads or changes the judged world. Before such a moment the ledger
//! compares the game with its own notes: it writes down writes through [`GameWrite`](crate::world::GameWrite) as such; it finds
//! by comparison what systems changed in place, characters that came or went, another story and other settings. So a record that
//! depends on a change always comes after it, and the order of records is the order of effects. Parts that no run reads are
//! compared once a second. The adventure, which dialogues do not read, is compared when a run begins and when a reply is judged.
//!
//! | folder or file | what it holds |
//! |---|---|
//! | `record` | records, their typed bodies, their seals, and at which moments a run read the world |
//! | `ledger` | how records are made, and when |
//! | `game` | a whole game as plain data, out of an app and back into one |
//! | `recording` | what can be replayed: records, with the sources of what was authored; how a replay compares them |
//! | `export` | a recording as one file for a bug report |
//! | `plugin` | a journal in memory |
//! | `file`, `store` | a journal in a file (feature `store`): `SQLite`, hash-chained; read, pruned, begun again |
//! | `load` | what every load does; saves without a file |
//! | `save` | saves and loads of files (feature `store`) |

pub(crate) mod commands;
pub(crate) mod events;
pub(crate) mod export;
#[cfg(feature = "store")]
pub(crate) mod file;
pub(crate) mod game;
pub(crate) mod ledger;
pub(crate) mod load;
pub(crate) mod plugin;
pub(crate) mod record;
pub(crate) mod recording;
#[cfg(feature = "store")]
pub(crate) mod save;
pub(crate) mod source;
#[cfg(feature = "store")]
pub(crate) mod store;

pub use commands::SaveCommandsExt;
pub use events::GameCaptured;
pub use export::{ExportError, Exported, Redaction, export, import};
#[cfg(all(feature = "store", feature = "inspector"))]
pub(crate) use file::plugin::JournalState;
#[cfg(feature = "store")]
pub use file::plugin::{
    Journal, JournalBehind, JournalPlugin, JournalResumed, JournalStopped, JournalVerified,
    TurnStored,
};
#[cfg(feature = "store")]
pub use file::prune::prune_journal;
#[cfg(feature = "store")]
pub use file::reader::JournalFile;
pub(crate) use game::capture::RestoreError;
pub use game::saved_game::SavedGame;
#[cfg(fuzzing)]
pub use game::saved_game::check_rows_for_fuzzing;
pub use plugin::{MemoryJournal, MemoryJournalPlugin};
pub use record::{Record, RecordKind};
pub use recording::drift::Divergence;
pub use recording::error::ReplayError;
pub use recording::{Recorded, Recording};
#[cfg(feature = "store")]
pub use save::file::{LoadGameError, Save};
#[cfg(feature = "store")]
pub use save::plugin::SavesPlugin;
#[cfg(feature = "store")]
pub use save::ticket::{GameSaved, SaveFailed, SaveGameError};
#[cfg(feature = "store")]
pub use save::waiting_load::LoadFailed;
#[cfg(feature = "store")]
pub use store::StoreError;
