//! Events about requests and characters.

use super::request::RequestError;
use crate::base::ids::Id;
use crate::memory::{Episode, ForgetReason};
use crate::outbox::{Outbox, about_entity};
use bevy::prelude::*;

/// A request started no run, or words and actions of an actor started no turn.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct RequestRefused {
    /// The character that was asked; `None` when no character has this id.
    pub entity: Option<Entity>,
    /// The id of the character that was asked, as the game wrote it; empty for a character whose file is not loaded.
    pub npc: String,
    /// Why the request was refused.
    pub error: RequestError,
}

/// A character has forgotten an episode. It is sent with the results of the pass in which the episode went.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct Forgotten {
    /// The entity of the character; `None` when it is not in the game.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// What it has forgotten, as it was.
    pub episode: Episode,
    /// Why it is gone.
    pub why: ForgetReason,
}

/// Two living entities are the same character. The second one stays mute: it has lost its `LoadedCharacter`.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct DuplicateCharacter {
    /// The entity that came second. It stays mute.
    #[event_target]
    pub entity: Entity,
    /// The id that both characters have.
    pub npc: Id,
    /// The entity that keeps the id.
    pub other: Entity,
}

/// A command of the game for an adventure, a plan or a recording could not be done. Nothing has changed then.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct CommandFailed {
    /// The name of the command, such as `retract_turn`.
    pub command: &'static str,
    /// Why it could not be done, for people.
    pub error: String,
}

/// Queues a command that may fail. A failure is reported as [`CommandFailed`].
pub(crate) fn attempt<T, E: std::error::Error>(
    commands: &mut Commands,
    command: &'static str,
    what: impl FnOnce(&mut World) -> std::result::Result<T, E> + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        let Err(error) = what(world) else {
            return;
        };
        log::warn!("{command}: {error}");
        let error = error.to_string();
        if let Some(mut outbox) = world.get_resource_mut::<Outbox>() {
            outbox.tell_all(CommandFailed { command, error });
        }
    });
}

about_entity!(Forgotten, RequestRefused);
