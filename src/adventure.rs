//! Adventure turns: a cast, a narrator, private minds, one stream (contract section T).
//!
//! A player submits what a persona wants to do. The rulebook decides what comes of it, the narrator tells it, characters decide
//! whether to act, act, and are narrated; states and lore follow. Many narrow calls, none of which knows more than it should.
//!
//! | file | what it holds |
//! |---|---|
//! | [`submit`] | how a turn is asked for, and interrupted |
//! | [`message`], [`stream`] | the append-only record |
//! | [`views`] | who sees which messages: one table |
//! | `orchestrator` | from stage to stage; each call is a run of the [pipeline](crate::pipeline) |
//! | `verdicts` | the rulebook's answer to an intention |
//! | [`activation`] | who acts, and in which order |
//! | [`states`], [`lore`] | what extractors write |
//! | [`drift`] | how states change by themselves |
//! | [`review`] | calls that wait for the player |
//! | [`template`] | the words of each stage's prompt |
//! | [`markers`] | boundaries of the scene |
//! | [`told_turn`] | the prose of an actor's turn outside of an adventure |
//! | [`aside`] | a question beside the story |
//! | [`out_of_character`] | what a player writes in doubled parentheses |
//! | [`recap`] | what happened long ago, in a few sentences |
//! | [`undo`] | a turn taken back, played again, or picked |
//! | `commit` | all of a turn, or nothing |
//!
//! A turn is a transaction: until its last stage has answered nothing is installed, and a turn that fails leaves nothing but its
//! record. It can be tried again, with the same result as if it had never failed.

pub mod activation;
pub mod aside;
pub mod bands;
mod brief;
mod commit;
pub mod drift;
pub(crate) mod events;
pub(crate) mod hook;
pub mod lore;
pub mod markers;
mod mentioned;
pub mod message;
mod name_forms;
mod one_call;
mod orchestrator;
pub mod out_of_character;
pub(crate) mod played;
mod player_turn;
pub(crate) mod plugin;
pub mod recap;
mod recap_call;
pub mod record;
pub mod review;
mod roster;
pub(crate) mod saved;
mod scene;
mod stage_call;
pub mod states;
pub mod stream;
pub mod submit;
pub mod template;
pub mod template_files;
pub mod told_turn;
pub mod tools;
mod turn;
pub mod undo;
mod verdicts;
pub mod views;
mod write_states;

pub use crate::authoring::adventure_settings::AdventureSettings;
pub use activation::Roll;
pub use aside::ask_aside;
pub use drift::Drift;
pub use lore::{LoreEntry, Lorebook};
pub use markers::{MarkerError, SceneMarker, set_marker};
pub use message::{Message, MessageType, Owner};
pub use player_turn::PlayerTurn;
pub use recap::{Recap, Recaps};
pub use record::{AdventureRecord, StageLog, TurnFailure, TurnStatus};
pub use review::{WaitingCalls, accept_call, refuse_call};
pub use states::{CurrentStates, Persona, Personas, StateEntry};
pub use stream::Stream;
pub use submit::{interrupt, submit_turn};
pub use template::{StageTemplates, TemplateError};
pub use told_turn::TurnNarration;
pub use tools::ToolRegistry;
pub use undo::{pick_turn, redo_turn, retract_last_npc, retract_turn};
