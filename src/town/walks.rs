//! A game whose characters walk by themselves: its own navigation and animation take over the steps of routines.

use super::life::Life;
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::recorded::InputsAreFed;
use bevy::prelude::*;
use std::time::Duration;

/// On a character that the game walks itself. For each step of its routine the game gets [`StepWanted`], and says
/// [`arrived`](super::TownCommandsExt::arrived) when the character is there; the rulebook judges the step then. When the duration
/// that it holds is over, in game time, the engine takes the step by itself.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// use bevy_dramatis::events::StepWanted;
///
/// fn walk(wanted: On<StepWanted>, mut commands: Commands) {
///     // Here the game starts its own walking. This one is there at once.
///     info!("{} goes to {}", wanted.npc, wanted.to);
///     commands.entity(wanted.entity).arrived();
/// }
/// # App::new().add_observer(walk);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct WalksItself(pub Duration);

impl WalksItself {
    /// How long the game has for a step.
    pub(super) fn patience(self) -> Millis {
        Millis(Millis::from(self.0).0.max(1))
    }
}

/// A character that the game walks itself is to go to the next location.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct StepWanted {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character.
    pub npc: Id,
    /// The location next to the one where it is.
    pub to: Id,
}

/// The character is where [`StepWanted`] has sent it.
pub(super) fn arrived(world: &mut World, npc: Entity) {
    let clock = world.get_resource::<DramatisClock>();
    let now = clock.map(|clock| clock.game).unwrap_or_default();
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    if let Some(mut life) = world.get_mut::<Life>(npc)
        && life.due.is_some()
    {
        (life.due, life.next) = (Some(now), now);
    }
}
