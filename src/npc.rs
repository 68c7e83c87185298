//! Characters in the game: what to spawn, and how to speak to them.
//!
//! Spawn an [`Npc`] with the handle of its file, or a [`LoadedCharacter`] that was built in code. Then talk:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_dramatis::prelude::*;
//! fn greet(
//!     mut commands: Commands,
//!     wizard: Single<Entity, With<LoadedCharacter>>,
//!     player: Single<Entity, With<Player>>,
//! ) {
//!     commands.entity(*wizard).hear(*player, "Would you let me in?");
//! }
//! ```
//!
//! A request waits in the character's [`RequestQueue`] until the character is loaded and has no run in flight. If anything is
//! wrong with it, the game gets [`RequestRefused`](crate::events::RequestRefused).

mod change_mind;
pub(crate) mod commands;
pub(crate) mod components;
mod could_not;
pub(crate) mod doing;
pub(crate) mod events;
pub(crate) mod lifecycle;
pub(crate) mod limits;
pub(crate) mod mind_writes;
mod names;
pub(crate) mod policy;
pub(crate) mod priority;
pub(crate) mod queue;
pub(crate) mod request;
pub(crate) mod submit;
mod to_warm;

pub(crate) use change_mind::{change_mind, tell_forgotten, watch};
pub use commands::NpcCommandsExt;
pub use components::{
    Baked, Chattiness, HeldStates, LoadedCharacter, Npc, Player, PlayerId, Thinking,
};
pub use could_not::CouldNot;
pub use doing::Doing;
pub(crate) use events::attempt;
pub(crate) use lifecycle::{CharacterChange, CharacterLog, log_character_change};
pub use limits::NpcLimits;
pub(crate) use limits::{limit_overrides, limits_of, limits_of_id};
pub(crate) use mind_writes::MindWriteLog;
pub use mind_writes::{MindChange, MindWrite, MindWriteError, NewEpisode};
pub(crate) use names::{KnownNames, learn_names, own_names};
pub use policy::NpcPolicy;
pub(crate) use policy::policy_of;
pub use priority::{NpcBudget, NpcPriority};
pub(crate) use queue::ReadyNpcs;
pub use queue::{OnNewRequest, QueuePolicy, RequestQueue, WhenFull};
pub(crate) use request::CheckedRequest;
pub(crate) use request::MAX_INPUT_CHARS;
pub use request::{Request, RequestError};
pub(crate) use submit::{cancel, check_speech, refuse};
pub(crate) use to_warm::ToWarm;
