//! The judged world: the part of the game that rules may look at and that approved actions may change.
//!
//! It is the game's own ECS, not a second copy. An entity belongs to it when it carries [`WorldId`]; [`PlacedIn`] says where
//! it is, [`Attributes`], [`Kind`], [`Aliases`] what it is. Flags and world facts are the resources [`WorldFlags`] and
//! [`WorldFacts`]. Pure rules read through [`WorldRead`], which the ECS view and the plain [`WorldState`] implement alike, so
//! that the same rule judges a running game and a test.
//!
//! The game itself writes through [`GameWrites`]; what a model proposed comes in through the gate alone.
//!
//! | files | what they hold |
//! |---|---|
//! | `components`, `index`, `bindings` | the judged part of the ECS, its ids, and a game's own components in it |
//! | `view`, `tracker`, `refresh` | the ECS read in place, and what of it has changed |
//! | `game_write` | what the game changes; `writer` alone puts changes into the ECS |
//!
//! What is pure of it, values, actions, rules and changes, is in the private room `judged_world`, and its names are here.

pub(crate) mod bindings;
pub(crate) mod components;
pub(crate) mod game_write;
pub(crate) mod index;
pub(crate) mod mentions;
pub(crate) mod refresh;
mod stale;
pub(crate) mod tracker;
pub(crate) mod view;
pub(crate) mod writer;

pub use crate::judged_world::action::actions;
pub use crate::judged_world::rulebook::turn::{ClarificationOption, RejectedAction};
pub use crate::judged_world::state::groups::{Group, Groups};
pub use crate::judged_world::words::name_key::name_key;
pub use crate::judged_world::words::parser::{
    ActionParser, ImperativeParser, ParseRequest, ParseTask, Parsing,
};
pub use crate::judged_world::{
    ActionField, ActionRegistry, ActionRules, ActionScene, Affordance, Clarification, EntityView,
    FieldKind, Intent, JudgedAction, JudgedChange, Judgement, LocationView, May, NpcAction,
    Placement, ProposedAction, ReasonCode, Rulebook, Slot, TurnRecord, WorldChange, WorldRead,
    WorldState, WorldValue,
};
pub(crate) use crate::judged_world::{
    Overlay, PlacementSpec, WorldPart, WorldSpec, action_words, affordances_among,
};
pub use components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, TurnOf, WorldFacts,
    WorldFlags,
};
pub use game_write::{GameWrite, GameWrites};
pub use index::{WorldId, WorldIndex};
pub use view::WorldView;
pub use writer::ChangeError;

#[cfg(test)]
mod tests;
