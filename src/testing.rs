//! Testing a game's own characters: a game without a window, engines that a test controls, and the events that came.
//!
//! | item | for |
//! |---|---|
//! | [`TestGame`] | an [`App`](bevy::app::App) that is played frame by frame, and keeps what it was told |
//! | [`ScriptedEngine`](crate::engine::ScriptedEngine) | replies that are known beforehand |
//! | [`FnEngine`] | replies that depend on the request |
//! | [`RandomReplies`] | random replies: anything that the schema allows |
//! | [`ManualEngine`] | replies that come when the test says so: what happens while a character thinks |
//! | [`GameEvent`], [`SpokenLine`] | what the game was told, to compare with |
//! | [`empty_mind`], [`change_mind`] | a mind as a test wants it |
//! | [`world_digest`] | the hash of the judged world: whether it has changed |
//! | `save_game_blocking` | a save that is complete when the call returns (feature `store`) |
//! | [`play_scenarios`] | every scenario file of a folder |
//!
//! # A test of your own NPC
//!
//! ```
//! use bevy_dramatis::prelude::*;
//! use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame};
//!
//! const YARD: &str = r#"(world: (locations: {"yard": (name: "Yard")}, entities: {
//!     "gate": (name: "gate", kind: "door", at: In("yard"), attributes: {"openable": true}),
//! }))"#;
//! const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You keep the gate.", location: "yard", may: ["open"],
//!     constraints: [(id: "no_gold", kind: Prohibition, severity: Hard, description: "Never speak of the gold.",
//!         patterns: ["gold"])],
//!     fallbacks: (generic: ["Move along."]),
//! )"#;
//!
//! // A model that gives the secret away, however often it is asked: Odo says what you wrote for that.
//! let mut game = TestGame::new(FnEngine::always("The gold is under the gate."));
//! let odo = game.spawn_npc(ODO);
//! game.talk(odo, "Where is the gold?");
//! assert_eq!(game.take_lines(), [SpokenLine::fallback("Move along.")]);
//! assert_eq!(game.attempts().len(), 3);
//!
//! // A model that opens the gate: it is open when the line is spoken.
//! let mut game = TestGame::new(ScriptedEngine::saying(["Come in. [INTENT: open gate]"]));
//! game.install_story(YARD);
//! let odo = game.spawn_npc(ODO);
//! game.talk(odo, "Good evening.");
//! assert_eq!(game.take_actions::<Open>()[0].target, "gate");
//! assert_eq!(game.take_lines(), [SpokenLine::reply("Come in.")]);
//! ```
//!
//! To load characters and stories from files, use [`TestGame::spawn_npc_file`] and [`TestGame::install_story_file`]. If the
//! plugins of your game belong to the test, build the [`App`](bevy::app::App) of your game and give it to
//! [`TestGame::from_app`]. For the same in a file that a writer edits, see [`crate::scenario`].
//!
//! # Panics
//!
//! This is code for tests: on bad input it panics, with a message that says what is wrong, so that the test fails. Keep it
//! out of the game itself. It is always compiled and needs no feature.

mod authored;
mod engines;
mod events;
mod game;
mod random_replies;
mod scenarios;

#[cfg(feature = "store")]
pub use crate::journal::save::save_game_blocking;
pub use crate::world::refresh::world_digest;
#[cfg(all(test, feature = "inspector"))]
pub(crate) use authored::fill_stream;
pub use authored::{change_mind, empty_mind};
pub use engines::{FnEngine, ManualCall, ManualEngine};
pub use events::{GameEvent, SpokenLine};
pub use game::TestGame;
pub use random_replies::RandomReplies;
pub use scenarios::play_scenarios;

#[cfg(test)]
mod tests;
