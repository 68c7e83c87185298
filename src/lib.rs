//! Characters that speak and act through a language model, in a world that no model can corrupt.
//!
//! The model **proposes**; the game **disposes**. Every word, memory and action that a model suggests is parsed, normalised
//! and judged by deterministic code before anything changes. What passes reaches the game as Bevy events, and with no
//! model at all authored lines carry the game.
//!
//! # A whole game
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//!
//! fn main() {
//!     // A server when the environment names one, else authored replies.
//!     let engine = HttpEngine::from_env().or_scripted("scripts/wizard.script.ron");
//!     App::new()
//!         .add_plugins((DefaultPlugins, DramatisPlugins::new(engine)))
//!         .add_systems(Startup, setup)
//!         .add_observer(|spoke: On<Spoke>| println!("{}: {}", spoke.npc, spoke.line))
//!         .bind_attribute::<Door>("open", |door| door.open.into(), |door, open| door.open = open.truthy())
//!         .add_observer(swing)
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     // Locations, things, canon, facts and rules; then a character, and somebody who speaks to it.
//!     commands.insert_resource(Story(assets.load("tower.story.ron")));
//!     let player = commands.spawn(Player).id();
//!     let wizard = commands.spawn(Npc(assets.load("npcs/wizard.npc.ron"))).id();
//!     commands.entity(wizard).hear(player, "Would you let me in?");
//! }
//!
//! // The rulebook reads and writes the game's own component ...
//! #[derive(Component)]
//! struct Door {
//!     open: bool,
//! }
//!
//! // ... and what was done arrives as an event, typed, after the gate.
//! fn swing(opened: On<Applied<Open>>, mut doors: Query<&mut Transform, With<Door>>) {
//!     if let Some(mut door) = opened.target.and_then(|door| doors.get_mut(door).ok()) {
//!         door.rotate_y(1.5);
//!     }
//! }
//! ```
//!
//! # The map of the rooms
//!
//! | room | what stands there |
//! |---|---|
//! | [`pipeline`] | the nine components, one file each, in the order data walks them |
//! | [`gate`] | the judges, and the only maker of [`gate::Approved`] |
//! | [`proposal`] | reply bytes into an untrusted [`proposal::Proposal`] |
//! | [`memory`] | episodes, beliefs, relationships, and what is worth bringing up |
//! | [`world`] | the judged part of the game's own ECS: actions, rulebook, judging, and how it changes |
//! | [`actor_turns`] | what actors do themselves, in words or typed |
//! | [`engine`] | where replies come from |
//! | [`authoring`] | RON files, their loading, hot reload and lint |
//! | [`journal`] | everything that happened: records, replay, saves, export |
//! | [`scenario`] | scenes with scripted replies that a writer tests in CI |
//! | [`testing`] | what a game tests its own characters with |
//! | [`rules`], [`text`], [`mod@format`] | what constraints are, how words are matched, how files are read |
//! | [`npc`], [`story`], [`events`], [`plugin`], [`app`] | what a game spawns, hears and adds |
//! | [`base`] | ids, whole-number arithmetic, the canonical encoding, clocks, seed, counters |
//!
//! Dependencies point one way: from the systems in `pipeline`, `npc`, `story` and `plugin` down to pure functions that know
//! nothing of them. `gate` and `world` know nothing of `engine`.
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `http` | yes | [`engine::HttpEngine`] for every OpenAI-compatible server |
//! | `inspector` | no | an egui window that shows why (the application adds `EguiPlugin`) |
//! | `store` | no | the journal in a file, saving and loading (`SQLite`, built along) |
//! | `cli` | no | the command line `dramatis`, and `cli::main` for games |
//!
//! # When something does not answer
//!
//! `RUST_LOG=bevy_dramatis=debug` tells why an attempt failed. A model's mistakes are logged at debug level, so that
//! nobody can flood the log; the plugin's own faults are errors.

pub mod actor_turns;
pub mod app;
pub mod authoring;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod events;
pub mod format;
pub mod gate;
#[cfg(feature = "inspector")]
pub mod inspector;
pub mod journal;
pub mod memory;
pub mod npc;
mod outbox;
pub mod pipeline;
pub mod plugin;
pub mod prelude;
pub mod proposal;
pub mod rules;
pub mod scenario;
pub mod story;
pub mod testing;
pub mod text;
pub mod world;
