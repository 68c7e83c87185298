//! Adventure turns: a cast, a narrator, private minds, one stream.
//!
//! A player submits what a persona wants to do. The rulebook decides the result, the narrator tells it, characters decide
//! whether to act, act, and are narrated; states and lore follow. Many narrow calls, none of which knows more than it should.
//!
//! | file | what it holds |
//! |---|---|
//! | `submit` | how a turn is asked for, and interrupted |
//! | `message`, `stream` | the append-only record |
//! | `views` | who sees which messages: one table |
//! | `orchestrator` | from stage to stage; each call is a run of the [pipeline](crate::pipeline) |
//! | `verdicts` | the rulebook's answer to an intention |
//! | `activation` | who acts, and in which order |
//! | `states`, `lore` | what extractors write |
//! | `drift` | how states change by themselves |
//! | `review` | calls that wait for the player |
//! | `markers` | boundaries of the scene |
//! | `told_turn` | the prose of an actor's turn outside of an adventure |
//! | `aside` | a question outside the story |
//! | `out_of_character` | what a player writes in doubled parentheses |
//! | `recap` | what happened long ago, in a few sentences |
//! | `undo` | a turn taken back, played again, or picked |
//! | `commit` | all of a turn, or nothing |
//!
//! A turn is a transaction. The engine installs nothing until the last stage of the turn has answered, and a turn that fails
//! leaves only its record. It can be tried again, with the same result as if it had never failed.

pub(crate) mod activation;
pub(crate) mod aside;
pub(crate) mod bands;
mod brief;
pub(crate) mod commands;
mod commit;
pub(crate) mod drift;
pub(crate) mod events;
pub(crate) mod hook;
pub(crate) mod markers;
mod mentioned;
pub(crate) mod message;
mod name_forms;
mod one_call;
mod orchestrator;
pub(crate) mod out_of_character;
pub(crate) mod played;
mod player_turn;
pub(crate) mod plugin;
pub(crate) mod recap;
mod recap_call;
pub(crate) mod record;
pub(crate) mod review;
mod roster;
pub(crate) mod saved;
mod scene;
mod stage_call;
pub(crate) mod states;
pub(crate) mod stream;
pub(crate) mod submit;
pub(crate) mod told_turn;
pub(crate) mod tools;
mod turn;
pub(crate) mod undo;
mod verdicts;
pub(crate) mod views;
mod write_states;

pub use crate::authoring::adventure_settings::AdventureSettings;
pub use crate::story::lore::{LoreEntry, Lorebook};
pub(crate) use activation::Roll;
pub use commands::AdventureCommandsExt;
pub use drift::{Drift, DriftRate};
pub use markers::SceneMarker;
pub use message::{Message, MessageType, Owner};
#[cfg(feature = "cli")]
pub(crate) use out_of_character::aside_of;
pub use player_turn::PlayerTurn;
pub use plugin::AdventurePlugin;
pub use record::{AdventureRecord, TurnFailure, TurnStatus};
pub use review::{WaitingCall, WaitingCalls};
pub use states::{CurrentStates, Persona, Personas, StateEntry};
pub use stream::Stream;
pub use told_turn::TurnNarration;
pub(crate) use told_turn::forget_ended_turns;
pub(crate) use tools::ToolRegistry;
