//! Days: characters live by their routines, whether a player looks or not.
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

pub(crate) mod events;
pub(crate) mod life;
pub(crate) mod live;
pub(crate) mod meet;
pub(crate) mod offer;
pub(crate) mod plugin;
pub(crate) mod walks;
mod way;

pub use offer::OfferCommandsExt;
pub use plugin::TownPlugin;
pub use walks::{WalkCommandsExt, WalksItself};
