//! LLM characters for Bevy whose words and actions are checked by your rules before they happen.
//!
//! The model suggests. Your rules decide. Every word, memory and action that a model suggests is parsed, normalised and judged by
//! deterministic code before anything changes. What passes reaches the game as Bevy events. What does not is tried again with
//! feedback. When every attempt fails, the character says a line that you wrote, so the game works without a model too.
//!
//! New here? [Your first character in ten minutes](guide::first_npc). The [guide] has all pages.
//!
//! # A complete program
//!
//! ```
//! use bevy::log::LogPlugin;
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//!
//! const BRAM: &str = r#"(
//!     id: "bram", name: "Bram", persona: "You guard the north gate. You are tired and kind.",
//!     constraints: [(id: "no_password",
//!         description: "Never say the password.", patterns: ["swordfish"])],
//!     fallbacks: (generic: ["Move along, please."]),
//! )"#;
//!
//! fn main() -> AppExit {
//!     // What a bad model says. `HttpEngine::from_env()` asks a real one.
//!     let replies = ["It is swordfish.", "S w o r d f i s h!", "Sw\u{3bf}rdfish."];
//!     App::new()
//!         .add_plugins((MinimalPlugins, LogPlugin::default()))
//!         .add_plugins(DramatisPlugins::new(ScriptedEngine::saying(replies)))
//!         .add_systems(Startup, ask)
//!         .add_observer(|failed: On<AttemptFailed>| {
//!             for failure in &failed.failures {
//!                 println!("(refused: {})", failure.message);
//!             }
//!         })
//!         .add_observer(|spoke: On<Spoke>| println!("{}: {}", spoke.npc, spoke.line))
//!         .add_observer(|_: On<RunEnded>, mut exit: MessageWriter<AppExit>| {
//!             exit.write(AppExit::Success);
//!         })
//!         .run()
//! }
//!
//! fn ask(mut commands: Commands) -> Result {
//!     let player = commands.spawn(Player).id();
//!     let bram = LoadedCharacter::from_ron(BRAM)?;
//!     println!("player: What is the password?");
//!     commands.spawn(bram).hear(player, "What is the password?");
//!     Ok(())
//! }
//! ```
//!
//! It prints what was refused, and then `bram: Move along, please.`
//!
//! # Concepts
//!
//! - A **request** gives a character a reason to respond: an actor [speaks](npc::NpcCommandsExt::hear) to it, or a zone, a quest or a
//!   timer wants something of it. Requests wait in a bounded queue.
//! - A **run** is one pass of the [pipeline] for one request. It is an entity, and its components hold its whole state.
//! - An **attempt** is one try inside a run: one call of the [engine], or two in the form
//!   [`Apart`](pipeline::Form::Apart). After a refused attempt the plugin tells the model why and asks again; by default there are
//!   three attempts, within 30 seconds.
//! - The **gate** judges the reply. Only the gate can make an `Approved` value, and the plugin commits only such values.
//! - The **judged world** is the part of the ECS that has a [`WorldId`](world::WorldId). A **rulebook** in RON says who may do
//!   what there, and what it changes.
//! - A **fallback** is an authored line, spoken when no attempt passed.
//!
//! The [glossary](guide::glossary) says what every word means.
//!
//! # Characters
//!
//! A character is a file, [loaded as an asset](authoring) and loaded again when it changes (with Bevy's feature `file_watcher`), or
//! RON text in code. Only its id is required:
//!
//! ```
//! # use bevy_dramatis::prelude::*;
//! # use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame};
//! const BRAM: &str = r#"(
//!     id: "bram", name: "Bram", persona: "You guard the north gate. You are tired and kind.",
//!     constraints: [(id: "no_password",
//!         description: "Never say the password.", patterns: ["swordfish"])],
//!     fallbacks: (generic: ["Move along, please."]),
//! )"#;
//! // A model that gives the password away, however often it is asked.
//! let mut game = TestGame::new(FnEngine::always("The password is swordfish."));
//! let bram = game.spawn_npc(BRAM);
//! game.talk(bram, "What is the password?");
//! assert_eq!(game.take_lines(), [SpokenLine::fallback("Move along, please.")]);
//! ```
//!
//! # Rules
//!
//! Writers put rules into RON: constraints that always apply, rules with conditions, custom rules with patterns, topics that
//! are forbidden or hidden until something happened ([which one to use](guide::rules#what-goes-where)). Canon, which no
//! reply may contradict, belongs to the story. A game adds rules, checks and guards in Rust with
//! [`add_rule`](app::DramatisAppExt::add_rule), [`add_check`](app::DramatisAppExt::add_check) and
//! [`add_mutation_guard`](app::DramatisAppExt::add_mutation_guard): see the example `rules_in_rust`.
//!
//! # Actions
//!
//! Ten actions are built in ([`world::actions`]), from `move` to `describe`. A game's own action is a Rust type:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! /// Puts a spell on something.
//! #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
//! struct Cast {
//!     spell: String,
//!     #[reflect(@FieldKind::Thing)]
//!     target: String,
//! }
//!
//! impl NpcAction for Cast {
//!     const NAME: &'static str = "cast";
//! }
//!
//! App::new()
//!     .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
//!     .add_npc_action::<Cast>()
//!     .add_observer(|cast: On<Applied<Cast>>| info!("{} on {}", cast.action.spell, cast.action.target));
//! ```
//!
//! From then on rulebooks can allow it, characters can propose it, players can type it (`cast light on the lamp`), and the
//! prompt and the reply's schema offer it where the rulebook allows it. Actors act with
//! [`act` and `perform`](actor_turns).
//!
//! # Adventures
//!
//! An [adventure] is interactive fiction with a narrator. A turn of it is many narrow calls: the rulebook judges what a persona
//! wants to do, a narrator tells it, and characters with thoughts that others do not see answer. States and lore follow. All of it
//! happens, or nothing.
//!
//! ```
//! use bevy_dramatis::adventure::{PlayerTurn, Stream};
//! use bevy_dramatis::engine::EngineEvent;
//! use bevy_dramatis::prelude::*;
//! use bevy_dramatis::testing::{FnEngine, TestGame};
//!
//! let engine = FnEngine::new(|_, request| {
//!     EngineEvent::whole_reply(match request.schema {
//!         Some(_) => r#"{"calls": []}"#,
//!         None => "The gate is open, and the yard is empty.",
//!     })
//! });
//! let mut game = TestGame::new(engine);
//! let turn = PlayerTurn::new(id!("player"), "I look at the gate.");
//! game.world_mut().commands().play_turn(turn);
//! game.run_until_idle();
//! let stream = game.world().resource::<Stream>();
//! assert_eq!(stream.messages()[1].content, "The gate is open, and the yard is empty.");
//! ```
//!
//! # Bindings
//!
//! A component of the game can *be* an attribute of the judged world, read and written in place, and a resource a world fact:
//! [`bind_attribute`](app::DramatisAppExt::bind_attribute), [`bind_world_fact`](app::DramatisAppExt::bind_world_fact). What is
//! not bound is changed through [`GameWrites`](world::GameWrites):
//!
//! ```
//! # use bevy_dramatis::prelude::*;
//! fn night_falls(mut writes: GameWrites) {
//!     writes.set_flag("night", true);
//!     writes.set_fact("weather", "fog");
//! }
//! ```
//!
//! # Knowing when
//!
//! The table in [`events`] says which event comes when. [`DramatisReady`](events::DramatisReady) and the run condition
//! [`dramatis_ready`](plugin::dramatis_ready) say that everything is loaded. Systems are ordered against
//! [`PipelineSystems`](plugin::PipelineSystems), [`LoadingSystems`](plugin::LoadingSystems) and
//! [`ResultSystems`](plugin::ResultSystems).
//!
//! # Saving and replay
//!
//! The [journal] writes down everything that happens, in memory or in one file that can be loaded like a save (feature `store`).
//! A replay lets everything but the model happen again, and names the first field that differs. [Saving](guide::saving) shows both.
//!
//! # Testing
//!
//! [`testing`] has a game without a window, engines that a test controls, and the events as plain values. Writers test in
//! RON: a [scenario] plays a scene with scripted replies and says what must follow (`dramatis run`), and `dramatis check`
//! finds mistakes in their files.
//!
//! # When something does not answer
//!
//! See [troubleshooting](guide::troubleshooting). With `LogPlugin`, which `DefaultPlugins` has, `RUST_LOG=bevy_dramatis=debug` tells why
//! an attempt failed. A model's mistakes are logged at debug level, so that a player cannot flood the log; faults of the plugin or of
//! your files are errors.
//!
//! # Where things are
//!
//! | module | what it holds |
//! |---|---|
//! | [`prelude`] | what most games need |
//! | [`plans`] | plans with risk gates: asked, checked, weighed, approved, carried out step by step, taken back |
//! | [`plugin`], [`app`] | what a game adds, and the order in which things happen |
//! | [`npc`], [`story`], [`staging`], [`actor_turns`] | what a game spawns, and how it speaks to characters and acts |
//! | [`adventure`] | turns with a narrator, a cast and personas |
//! | [`town`] | routines of characters, news among them, lines for the player; groups are in [`world::Groups`] |
//! | [`events`] | the events that a game receives |
//! | [`recorded`] | inputs of the game's own plugins that the journal records |
//! | [`pipeline`] | the nine steps of a run, and policies, budgets and templates for them |
//! | [`gate`] | the judges of a reply, and checks of your own |
//! | [`proposal`] | how reply bytes are read; nothing of it is trusted |
//! | [`memory`] | episodes, beliefs, relationships, and what of them is retrieved |
//! | [`limits`] | the numbers that bound a character: memory, prompts, lines, calls |
//! | [`world`] | the judged part of the game's own ECS: actions, rulebook, judging, and how it changes |
//! | [`engine`] | where replies come from |
//! | [`authoring`], [`lint`] | RON files, their loading, hot reload and lint |
//! | [`journal`] | everything that happened: records, saves, export |
//! | [`mod@replay`] | a journal played again without a model; `dramatis regate` judges it by other rules |
//! | [`scenario`], [`testing`] | tests by writers, tests by developers |
//! | [`rules`], [`text`], [`mod@format`], [`base`] | what constraints are, how words are matched, how files are read, ids and numbers |
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `http` | yes | [`engine::HttpEngine`] for servers that speak OpenAI's protocol |
//! | `cards` | no | [character cards and lorebooks of other programs](cards), read and written |
//! | `json` | no | authored files in JSON, too, for [editors that know JSON Schemas](guide::editors) |
//! | `yarn` | no | characters in the dialogues of [Yarn Spinner](yarn) |
//! | `remote` | no | [methods of the Bevy Remote Protocol](remote) by which other tools read what characters do |
//! | `inspector` | no | an [egui window](guide::troubleshooting#the-inspector) that shows why a character said what it said |
//! | `store` | no | the journal in a file, saving and loading (`SQLite`, built along) |
//! | `cli` | no | the command line `dramatis`, and `cli::main` for games |

pub mod actor_turns;
pub mod adventure;
pub mod app;
pub mod authoring;
pub mod base;
#[cfg(feature = "cli")]
mod bench;
#[cfg(feature = "cards")]
pub mod cards;
#[cfg(feature = "cli")]
pub mod cli;
mod commit;
pub mod engine;
pub mod events;
pub mod format;
pub mod gate;
pub mod guide;
#[cfg(feature = "inspector")]
pub mod inspector;
pub mod journal;
mod judged_world;
pub mod limits;
pub mod lint;
mod loading;
pub mod memory;
pub mod npc;
mod outbox;
pub mod pipeline;
pub mod plans;
pub mod plugin;
mod policy;
pub mod prelude;
pub mod proposal;
pub mod recorded;
#[cfg(feature = "remote")]
pub mod remote;
pub mod replay;
pub mod rules;
mod sampling;
pub mod scenario;
mod settings;
pub mod staging;
pub mod story;
pub mod testing;
pub mod text;
pub mod town;
pub mod world;
#[cfg(feature = "yarn")]
pub mod yarn;
