//! Who talks in a dialogue of Yarn Spinner: the player, and the characters by their ids.

use crate::base::ids::Id;
use crate::npc::{LoadedCharacter, Player, PlayerId};
use crate::world::{WorldId, WorldIndex};
use bevy::prelude::*;

/// Says which entity talks in a dialogue of Yarn Spinner. Insert it on the entity of the `DialogueRunner`.
///
/// Without it the only entity with a [`Player`] component talks, and no line becomes a memory.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::yarn::YarnTalk;
///
/// fn remember_all(mut commands: Commands, runner: Entity, player: Entity) {
///     commands.entity(runner).insert(YarnTalk { player, remember: true });
/// }
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct YarnTalk {
    /// The entity that asks and acts: it has a [`Player`] component, or it is an actor with a [`WorldId`].
    pub player: Entity,
    /// Whether a character remembers each line that the dialogue shows under its name.
    pub remember: bool,
}

/// The actor for whom a dialogue talks.
pub(super) struct Speaker {
    /// What the game has spawned.
    pub entity: Entity,
    /// The id under which characters know it.
    pub id: Id,
}

/// Finds the actor for whom a dialogue talks.
///
/// # Errors
/// What is wrong, and what the game has to do, in a sentence for people.
pub(super) fn speaker(world: &mut World, runner: Entity) -> Result<Speaker, String> {
    let entity = match world.get::<YarnTalk>(runner) {
        Some(talk) => talk.player,
        None => only_player(world)?,
    };
    let own = world.get::<WorldId>(entity).map(|id| id.0.clone());
    let is_player = world.get::<Player>(entity).is_some();
    let id = match own {
        None if is_player => Some(world.get_resource_or_init::<PlayerId>().0.clone()),
        own => own,
    };
    match id {
        Some(id) => Ok(Speaker { entity, id }),
        None => Err(format!(
            "the player {entity} of YarnTalk is gone, or has neither a Player component nor a WorldId"
        )),
    }
}

fn only_player(world: &mut World) -> Result<Entity, String> {
    let mut players = world.query_filtered::<Entity, With<Player>>();
    let mut found = players.iter(world);
    match (found.next(), found.next()) {
        (Some(player), None) => Ok(player),
        (None, _) => Err(
            "no entity has a Player component: spawn one, or insert YarnTalk on the \
             entity of the DialogueRunner"
                .to_owned(),
        ),
        (Some(_), Some(_)) => Err(
            "several entities have a Player component: insert YarnTalk on \
             the entity of the DialogueRunner, with the player who talks"
                .to_owned(),
        ),
    }
}

/// The character with this id; `None` where no loaded character in the game has it.
pub(super) fn character(world: &World, id: &str) -> Option<Entity> {
    let entity = WorldIndex::find(world, id)?;
    world.get::<LoadedCharacter>(entity).map(|_| entity)
}
