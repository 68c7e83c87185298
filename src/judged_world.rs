//! The judged world as values: what there is in it, what an action is and who may do it, and what it changes.
//!
//! Nothing here knows of a running game: [`world`](crate::world) is the same world as components and resources of the game.
//!
//! | folder | what it holds |
//! |---|---|
//! | [`state`] | values, things and places, an authored world, who perceives and knows what |
//! | [`action`] | what an action is, the built-in ones, all that exist |
//! | [`words`] | from words and raw fields to an [`Intent`] |
//! | [`rulebook`] | who may do what, what can be done now, and a turn |
//! | [`change`] | what actions change, judged one after the other; how things are now, hashed and compared |

pub(crate) mod action;
pub(crate) mod change;
pub(crate) mod rulebook;
pub(crate) mod state;
pub(crate) mod words;

pub use action::registry::ActionRegistry;
pub use action::{ActionField, FieldKind, Intent, NpcAction, ProposedAction, Slot};
pub use change::WorldChange;
pub use change::apply::JudgedChange;
pub(crate) use change::overlay::Overlay;
pub use rulebook::affordance::Affordance;
pub(crate) use rulebook::affordance::action_words;
pub(crate) use rulebook::affordance::affordances_among;
pub use rulebook::may::May;
pub use rulebook::scene::ActionScene;
pub(crate) use rulebook::turn::Turn;
pub use rulebook::turn::{Clarification, JudgedAction, TurnRecord};
pub use rulebook::validate::{ActionRules, Judgement};
pub use rulebook::{ReasonCode, Rulebook};
pub(crate) use state::part::WorldPart;
pub(crate) use state::spec::{PlacementSpec, WorldSpec};
pub use state::value::WorldValue;
pub use state::{EntityView, LocationView, Placement, WorldRead, WorldState};
pub(crate) use words::normalise::ActionError;
