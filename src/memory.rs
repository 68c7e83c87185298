//! Memory: what a character knows, by authority (contract rows M1-M4).
//!
//! | kind | authority | who may write |
//! |---|---|---|
//! | canon | 100 | the designer, once |
//! | world fact | 75 | the game |
//! | episode | 50 | the game, and replies that passed the gate |
//! | belief, relationship | 25 | all of these, and suggestions of a model |
//!
//! Canon and world facts belong to the story and stand in [`crate::gate::canon`] and
//! [`crate::judged_world::WorldFacts`]; what one character has for itself is its [`Mind`]. A write needs a source whose
//! authority is at least that of what it writes: [`authority::check_authority`].
//!
//! Episodes fade ([`Episode::strength`]); beliefs keep their history; relationships change by small steps. For a prompt
//! the episodes with the highest scores are retrieved ([`retrieval`], contract row M4):
//!
//! `score = 0.4 * recency + 0.4 * relevance + 0.2 * significance`
//!
//! ```
//! use bevy_dramatis::base::time::GameTime;
//! use bevy_dramatis::limits::Limits;
//! use bevy_dramatis::memory::{Episode, retrieval::retrieve};
//! use bevy_dramatis::testing::empty_mind;
//!
//! let (hour, now) = (3_600_000, GameTime(7_200_000));
//! let mut mind = empty_mind();
//! mind.episodes.store(Episode::new("flood", "The river flooded the yard.", GameTime(hour)), now)?;
//! mind.episodes.store(Episode::new("feast", "We ate well.", GameTime(hour)), now)?;
//! let found = retrieve(&mind, "Did the river rise?", now, &Limits::DEFAULT);
//! assert_eq!(found.episodes[0].id, "flood");
//! # Ok::<(), bevy_dramatis::memory::EpisodeError>(())
//! ```

pub mod authority;
pub mod beliefs;
mod episode_index;
pub mod episodes;
pub mod mind;
pub(crate) mod mirror;
pub mod relationships;
pub mod retrieval;
pub mod saved;
pub mod state_slots;
pub mod take_back;

pub use authority::{Authority, AuthorityError, WriteSource};
pub use beliefs::{Belief, BeliefError, Beliefs, NewBelief};
pub use episodes::{Decay, Episode, EpisodeError, Episodes, Provenance};
pub use mind::{DormantMinds, Exchange, KeptLines, MAX_DORMANT_MINDS, Mind};
pub use relationships::{Relationship, RelationshipPart, Relationships};
pub use retrieval::{BeliefScore, Retrieved, RetrievedBelief, RetrievedEpisode, ScoreParts};
pub(crate) use saved::MindPart;
pub use saved::SavedMind;
