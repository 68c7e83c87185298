//! The judged world: the part of the game that rules may look at and that approved actions may change.
//!
//! It is the game's own ECS, not a copy beside it. An entity belongs to it when it carries [`WorldId`];
//! [`PlacedIn`] says where it is, [`Attributes`], [`Kind`], [`Aliases`] what it is. Flags and world facts are
//! the resources [`WorldFlags`] and [`WorldFacts`]. Pure rules read through [`WorldRead`], which the ECS view
//! and the plain [`WorldState`] implement alike, so that the same rule judges a running game and a test.
//!
//! The game itself writes through [`GameWrites`]; what a model proposed comes in through the gate alone.

pub mod action;
pub mod actions;
pub mod affordance;
pub mod apply;
pub mod bindings;
pub mod components;
pub mod condition;
pub mod difference;
pub mod imperative;
pub mod judged;
pub mod mirror;
pub mod normalise;
pub mod overlay;
pub mod parser;
pub mod reference;
pub mod registry;
pub mod rulebook;
pub mod spec;
pub mod state;
pub mod turn;
pub mod validate;
pub mod value;
pub mod watch;
pub mod writes;

pub use action::{ActionField, FieldKind, Intent, NpcAction, ProposedAction, Slot};
pub use affordance::{Affordance, affordances};
pub use apply::apply;
pub use components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, TurnOf, WorldFacts,
    WorldFlags, WorldId, WorldIndex,
};
pub use condition::ActionScene;
pub use judged::WorldView;
pub use normalise::ActionError;
pub use overlay::{Change, Overlay};
pub use registry::ActionRegistry;
pub use rulebook::{ReasonCode, Rulebook};
pub use spec::{EntitySpec, LocationSpec, PlacementSpec, WorldSpec};
pub use state::{EntityView, LocationView, Placement, WorldRead, WorldState};
pub use turn::{Clarification, JudgedAction, Turn, TurnRecord, take_turn};
pub use validate::{ActionRules, Judgement, validate};
pub use value::WorldValue;
pub use writes::{GameWrite, GameWriteError, GameWrites};
