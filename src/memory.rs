//! Memory: what a character knows, by authority.
//!
//! | kind | authority | who may write |
//! |---|---|---|
//! | canon | 100 | the designer, once |
//! | world fact | 75 | the game |
//! | episode | 50 | the game, and replies that passed the gate |
//! | belief, relationship | 25 | all of these, and suggestions of a model |
//!
//! Canon and world facts belong to the story: they are `CanonFact`s and
//! [`WorldFacts`](crate::world::WorldFacts); what one character has for itself is its [`Mind`]. A write needs a source whose
//! authority is at least that of what it writes: `Authority`.
//!
//! Beliefs keep their history; relationships change by small steps. For a prompt the engine retrieves the episodes with the highest
//! scores: those that are about what is said, then those that are new or mattered ([`recall`] has the formula). No episode is lost
//! because of its age unless the memory is [`Memory::Fading`](crate::limits::Memory).
//!
//! ```
//! use bevy_dramatis::base::GameTime;
//! use bevy_dramatis::limits::Limits;
//! use bevy_dramatis::memory::{Episode, recall};
//! use bevy_dramatis::testing::empty_mind;
//!
//! let (hour, now) = (3_600_000, GameTime(7_200_000));
//! let mut mind = empty_mind();
//! mind.episodes.store(Episode::new("flood", "The river flooded the yard.", GameTime(hour)), now)?;
//! mind.episodes.store(Episode::new("feast", "We ate well.", GameTime(hour)), now)?;
//! let found = recall(&mind, "Did the river rise?", now, &Limits::DEFAULT);
//! assert_eq!(found[0], "flood");
//! # Ok::<(), bevy_dramatis::memory::EpisodeError>(())
//! ```

pub(crate) mod authority;
pub(crate) mod beliefs;
pub(crate) mod episode;
mod episode_index;
pub(crate) mod episodes;
mod forgotten;
pub(crate) mod mind;
pub(crate) mod mirror;
pub(crate) mod news;
mod postings;
pub(crate) mod relationships;
pub(crate) mod retrieval;
mod room;
pub(crate) mod said_line;
pub(crate) mod saved;
pub(crate) mod state_slots;
pub(crate) mod take_back;

pub use authority::WriteSource;
pub(crate) use beliefs::NewBelief;
pub use beliefs::{Belief, Beliefs};
pub use episode::{Episode, Provenance};
pub(crate) use episode_index::idf;
pub use episodes::{EpisodeError, Episodes};
pub use forgotten::ForgetReason;
pub(crate) use forgotten::ForgottenEpisode;
pub(crate) use mind::Exchange;
pub use mind::{DormantMinds, Mind};
pub(crate) use relationships::RelationshipPart;
pub use relationships::{Relationship, Relationships};
pub use retrieval::{Cue, recall};
pub(crate) use saved::MindPart;
pub use saved::SavedMind;
