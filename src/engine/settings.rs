//! How replies are generated: their length, their temperature, and how long a character waits for one.

use crate::base::fixed::Millis;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// What every call of an engine is asked for. A resource; a character can have its own as [`NpcGeneration`]. A change counts
/// for calls that start after it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::engine::GenerationSettings;
/// use bevy_dramatis::prelude::*;
///
/// App::new()
///     .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
///     .insert_resource(GenerationSettings {
///         max_tokens: 120,
///         ..default()
///     });
/// ```
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
#[serde(default, deny_unknown_fields)]
pub struct GenerationSettings {
    /// The most tokens that a reply may take; 512 by default. The engine cuts what is longer.
    pub max_tokens: u32,
    /// The sampling temperature, in thousandths; 700 by default. 0 asks for the most likely reply.
    pub temperature_milli: u32,
    /// How long a character waits for its reply before it speaks one of its `thinking` lines, in milliseconds of call time
    /// from the start of its run; 2000 by default.
    pub thinking_after: Millis,
    /// How long an engine-backed parser may take to read the words of an actor, in milliseconds of call time, before the
    /// built-in parser reads them; 10000 by default. The value of the resource counts, not that of a character.
    pub parser_patience: Millis,
}

impl Default for GenerationSettings {
    fn default() -> Self {
        Self {
            max_tokens: 512,
            temperature_milli: 700,
            thinking_after: Millis(2_000),
            parser_patience: Millis(10_000),
        }
    }
}

/// The generation settings of one character, in place of those of the game. Put it on the character's entity.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcGeneration(pub GenerationSettings);
