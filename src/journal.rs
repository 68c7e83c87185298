//! The journal: everything that happened, written down in the order in which it took effect (contract section J).

pub mod account;
pub mod capture;
pub mod drift;
mod feed;
mod ledger;
pub mod plugin;
pub mod record;
pub mod replay;
pub mod saved_game;
#[cfg(feature = "store")]
pub mod store;
pub mod timetable;

pub use drift::Divergence;
pub use plugin::{JournalSystems, MemoryJournal, MemoryJournalPlugin};
pub use record::{Record, RecordKind};
pub use replay::{Recorded, Recording, ReplayError, ReplayReport, replay};
pub use saved_game::SavedGame;
pub use timetable::{Moment, Timetable};
