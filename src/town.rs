//! A town: characters live by routines, tell one another news, and a player is offered lines.
//!
//! | what | where |
//! |---|---|
//! | what a character does now | the component [`Doing`](crate::npc::Doing) |
//! | what happens | [`RoutineBlocked`](crate::events::RoutineBlocked), [`NewsTold`](crate::events::NewsTold), [`LinesOffered`](crate::events::LinesOffered) |
//! | who belongs together | [`Groups`](crate::world::Groups) |
//! | a game that walks its characters itself | [`WalksItself`] |
//! | what a player could say | [`TownCommandsExt`] |
//!
//! [The page on it](crate::guide::town) says how routines, groups and news are written.
//!
//! # Days
//!
//! A routine is data in the character's file: where it is at which time, and what it does there. The engine moves the character
//! along the shortest way, one judged `move` for each connection, in order of game time however long a frame was. No model is asked.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! use bevy_dramatis::events::RoutineBlocked;
//!
//! fn tell(blocked: On<RoutineBlocked>) {
//!     info!("{} cannot get to {}: {}", blocked.npc, blocked.to, blocked.reason.name());
//! }
//! # App::new().add_observer(tell);
//! ```

pub(crate) mod commands;
pub(crate) mod events;
pub(crate) mod life;
pub(crate) mod live;
pub(crate) mod meet;
pub(crate) mod offer;
pub(crate) mod plugin;
pub(crate) mod walks;
mod way;

pub use commands::TownCommandsExt;
pub use plugin::TownPlugin;
pub use walks::WalksItself;
