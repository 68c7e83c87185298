//! The components on the entity of a character, and of the player.

use super::queue::RequestQueue;
use crate::authoring::assets::CharacterAsset;
use crate::authoring::{AssetError, Character, NoFiles};
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::id;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A character whose file is loaded by the asset server. When the file is there, the entity gets its [`LoadedCharacter`];
/// when it changes, a new one. It cannot be changed in place: insert another one to give the entity another character.
#[derive(Component, Debug, Clone, Reflect)]
#[component(immutable)]
#[reflect(Component)]
#[require(RequestQueue)]
pub struct Npc(pub Handle<CharacterAsset>);

/// A character, loaded: what its file says. The plugin puts it on an [`Npc`]; spawn it directly for a character that is built
/// in code.
///
/// With it the entity gets the character's id as its [`WorldId`](crate::world::WorldId), its place, and its
/// [`Mind`](crate::memory::Mind): the one that it left behind when it was last in the game, or its first one. When it is
/// removed, or the entity is despawned, the mind is kept under the character's id, and its run in flight ends as Cancelled.
#[derive(Component, Debug, Clone)]
#[component(immutable)]
#[require(RequestQueue)]
pub struct LoadedCharacter(pub Arc<Character>);

impl LoadedCharacter {
    /// A character from RON text, in the form of a `.npc.ron` file. It refers to no other files.
    ///
    /// # Errors
    /// Everything that is wrong with the text, each with line and column.
    pub fn from_ron(ron: &str) -> std::result::Result<Self, AssetError> {
        let character = Character::parse(ron.as_bytes(), "a character in Rust", &NoFiles);
        Ok(Self(Arc::new(character.map_err(AssetError::Wrong)?)))
    }

    /// The id of the character that an entity is; `None` where it is none.
    pub(crate) fn id_of(world: &World, entity: Entity) -> Option<Id> {
        world.get::<Self>(entity).map(|own| own.0.id.clone())
    }
}

/// On a character while it has a run in flight. Written by the pipeline.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
#[component(storage = "SparseSet", immutable)]
pub struct Thinking {
    /// The entity of the run in flight.
    pub run: Entity,
    /// When the run started, in milliseconds of call time.
    pub since: CallTime,
    /// The attempt that the run makes, counted from 0.
    pub attempt: u32,
}

/// How readily a character acts in the turns of an adventure, 0 to 100: the chance in a hundred. A character gets it from its file when
/// it comes into the game, and again with another version of the file, unless the game has changed it.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct Chattiness(pub u8);

/// Whether a character acts in every turn of an adventure. A character gets it from its file, as its [`Chattiness`].
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct Baked(pub bool);

/// The states of a character that the game holds, so that no extractor and no drift changes them: each with its category and
/// its label, compared folded. Where an entity has none, its file says (`held: true`). Insert it again to change it.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[component(immutable)]
#[reflect(Component, Default)]
pub struct HeldStates(pub Vec<(String, String)>);

/// Marks the entity that the player plays. What it says to a character is a
/// [`TriggerReason::PlayerUtterance`](crate::rules::TriggerReason::PlayerUtterance), under the id of [`PlayerId`] unless the
/// entity has a [`WorldId`](crate::world::WorldId) of its own. With one, and without a [`Kind`](crate::world::Kind), it is of the
/// kind `character`.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct Player;

/// The id of the actor whom the player plays; `player` unless the game says otherwise.
#[derive(Resource, Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
pub struct PlayerId(pub Id);

impl Default for PlayerId {
    fn default() -> Self {
        Self(id!("player"))
    }
}
