//! Events about turns of actors.

use crate::base::ids::Id;
use crate::outbox::about_entity;
use crate::world::Clarification;
use crate::world::TurnRecord;
use bevy::prelude::*;
use std::sync::Arc;

/// The words of a turn may mean several things, or nothing: ask the player which one is meant, and call
/// [`answer`](crate::actor_turns::ActorCommandsExt::answer).
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct ClarificationNeeded {
    /// The actor; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of the actor.
    pub actor: Id,
    /// The number of the turn, from 1, in the order in which turns are taken.
    pub turn: u64,
    /// What is unclear, with what it may mean.
    pub clarification: Clarification,
}

/// A turn has been taken, also when nothing could be done in it. It is the last event of its turn.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct TurnEnded {
    /// The actor; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of the actor.
    pub actor: Id,
    /// All that was asked, judged and changed in the turn.
    pub record: Arc<TurnRecord>,
}

about_entity!(ClarificationNeeded, TurnEnded);
