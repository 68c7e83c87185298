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
//! [`crate::world::WorldFacts`]; what one character has for itself is its [`Mind`].

pub mod authority;
pub mod beliefs;
pub mod episodes;
pub mod mind;
pub mod relationships;
pub mod retrieval;
pub mod saved;

pub use authority::{Authority, AuthorityError, WriteSource};
pub use beliefs::{Belief, Beliefs};
pub use episodes::{Episode, EpisodeError, Episodes, Provenance};
pub use mind::{DormantMinds, Exchange, Mind};
pub use relationships::{Relationship, Relationships};
pub use retrieval::{Retrieved, RetrievedBelief, RetrievedEpisode, ScoreParts};
pub use saved::SavedMind;
