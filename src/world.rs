//! The judged world: the part of the game that rules may look at and that approved deeds may change.
//!
//! It is the game's own ECS, not a copy beside it. An entity belongs to it when it carries [`WorldId`];
//! [`PlacedIn`] says where it is, [`Attributes`], [`Kind`], [`Aliases`] what it is. Flags and world facts are
//! the resources [`WorldFlags`] and [`WorldFacts`]. Pure rules read through [`WorldRead`], which the ECS view
//! and the plain [`WorldState`] implement alike, so that the same rule judges a running game and a test.
//!
//! The game itself writes through [`GameWrites`]; what a model proposed comes in through the gate alone.

pub mod action;
pub mod components;
pub mod rulebook;
pub mod spec;
pub mod state;
pub mod value;
pub mod writes;

pub use action::{ActionError, Intent};
pub use components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, WorldFacts, WorldFlags,
    WorldId, WorldIndex,
};
pub use spec::{EntitySpec, LocationSpec, PlacementSpec, WorldSpec};
pub use state::{EntityView, Placement, WorldRead, WorldState};
pub use value::WorldValue;
pub use writes::{GameWrite, GameWriteError, GameWrites};
