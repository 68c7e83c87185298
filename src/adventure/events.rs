//! Events about turns of an adventure.

use super::message::Message as NarrationMessage;
use super::record::AdventureRecord;
use crate::base::ids::Id;
use crate::outbox::about_entity;
use crate::proposal::ToolValue;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The narrator has told something: it is provisional until [`AdventureTurnEnded`] confirms or withdraws all of the turn.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct Narrated {
    /// The entity of the turn.
    #[event_target]
    pub entity: Entity,
    /// What was told, with its place and its audience.
    pub message: NarrationMessage,
}

/// A turn of an adventure is over. When it was committed, all of it counts: what was told, done, felt and found out. When it
/// failed, nothing does, and what was told is withdrawn.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct AdventureTurnEnded {
    /// The entity of the turn. It is despawned when all observers have been told.
    #[event_target]
    pub entity: Entity,
    /// All that is kept of the turn.
    pub record: Arc<AdventureRecord>,
}

/// The turn of an actor outside of an adventure, in prose. It comes after [`TurnEnded`](crate::events::TurnEnded) where
/// [`TurnNarration`](crate::adventure::TurnNarration) is on.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct TurnTold {
    /// Who acted; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// The number of the turn, as in its [`TurnEnded`](crate::events::TurnEnded).
    pub turn: u64,
    /// What happened, in one or a few sentences; never empty.
    pub text: String,
    /// Whether an engine has told it. If not, its replies were not usable, and built-in sentences tell it.
    pub by_engine: bool,
}

/// The engine answered a question outside the story, or none of its replies was usable.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct AsideAnswered {
    /// The id of the persona whose player asked.
    pub persona: Id,
    /// What the player asked, without control characters.
    pub question: String,
    /// The answer; `None` when no reply was usable.
    pub answer: Option<String>,
}

/// An extractor has called a tool of the game, and the turn in which it did is committed. See
/// [`add_tool`](crate::app::DramatisAppExt::add_tool).
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct ToolCalled {
    /// The number of the turn.
    pub turn_id: u64,
    /// The id of the character or persona whose extractor called it; `None` for the lore extractor.
    pub npc: Option<Id>,
    /// The name of the tool.
    pub tool: String,
    /// What it was called with, by field: all fields of the tool, each as the tool takes it.
    pub fields: BTreeMap<String, ToolValue>,
}

about_entity!(TurnTold);
