//! The judged world: the part of the game that rules may look at and that approved actions may change.
//!
//! It is the game's own ECS, not a copy beside it. An entity belongs to it when it carries [`WorldId`];
//! [`PlacedIn`] says where it is, [`Attributes`], [`Kind`], [`Aliases`] what it is. Flags and world facts are
//! the resources [`WorldFlags`] and [`WorldFacts`]. Pure rules read through [`WorldRead`], which the ECS view
//! and the plain [`WorldState`] implement alike, so that the same rule judges a running game and a test.
//!
//! The game itself writes through [`GameWrites`]; what a model proposed comes in through the gate alone.
//!
//! | files | what they hold |
//! |---|---|
//! | [`components`], [`index`], [`bindings`] | the judged part of the ECS, its ids, and a game's own components in it |
//! | [`value`], [`spec`], [`state`], [`view`] | values, an authored world, a world as plain data, the ECS read in place |
//! | [`action`], [`actions`], [`registry`] | what an action is, the built-in ones, all that exist |
//! | [`parser`], [`imperative`], [`name_key`], [`reference`](mod@reference), [`normalise`] | from words and raw fields to an [`Intent`] |
//! | [`rulebook`], [`scene`], [`condition`], [`validate`](mod@validate), [`affordance`] | who may do what, and what can be done now |
//! | [`change`], [`apply`](mod@apply), [`overlay`], [`turn`] | what actions change, judged one after the other |
//! | [`game_write`] | what the game changes; `writer` alone puts changes into the ECS |
//! | [`part`], [`digest`], [`mirror`], [`tracker`], [`refresh`](mod@refresh), [`difference`] | how things are now, hashed and compared |

pub mod action;
pub mod action_field;
pub mod actions;
pub mod affordance;
pub mod apply;
pub mod bindings;
pub mod change;
pub mod components;
pub mod condition;
pub mod difference;
pub mod digest;
pub mod game_write;
pub mod imperative;
pub mod index;
mod knowledge;
pub mod may;
pub(crate) mod mentions;
pub mod mirror;
pub mod name_key;
pub mod newcomer;
mod newcomer_name;
pub mod normalise;
pub mod overlay;
pub mod parser;
pub mod part;
pub mod passage;
pub mod reference;
pub mod refresh;
pub mod registry;
pub mod rulebook;
pub mod scene;
pub mod senses;
pub mod spec;
mod stale;
pub mod state;
pub mod take_back;
pub mod tracker;
pub mod turn;
pub mod validate;
pub mod value;
pub mod view;
pub(crate) mod writer;

pub use action::{ActionField, FieldKind, Intent, NpcAction, ProposedAction, Slot};
pub use affordance::{
    Affordance, TriedAction, action_words, affordances, affordances_among, tried_actions,
};
pub use apply::{JudgedChange, apply};
pub use change::WorldChange;
pub use components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, TurnOf, WorldFacts,
    WorldFlags,
};
pub use game_write::{GameWrite, GameWrites};
pub use index::{WorldId, WorldIndex};
pub use may::May;
pub use normalise::ActionError;
pub use overlay::Overlay;
pub use part::WorldPart;
pub use registry::ActionRegistry;
pub use rulebook::{ReasonCode, Rulebook};
pub use scene::ActionScene;
pub use spec::{EntitySpec, LocationSpec, PlacementSpec, WorldSpec};
pub use state::{EntityView, LocationView, Placement, WorldRead, WorldState};
pub use turn::{Clarification, JudgedAction, Turn, TurnRecord, take_turn};
pub use validate::{ActionRules, Judgement, validate};
pub use value::WorldValue;
pub use view::WorldView;
pub use writer::ChangeError;
