//! Messages: what an adventure consists of.

use crate::base::ids::Id;
use crate::proposal::NarrationPart;
use bevy::reflect::Reflect;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Who a message comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The turn itself: scene markers, and summaries of what extractors wrote.
    System,
    /// The narrator, who tells the results of intentions.
    Narrator,
    /// The character or persona with this id.
    Actor(Id),
}

impl Owner {
    /// The actor's id; `None` for the system and the narrator.
    #[must_use]
    pub fn actor(&self) -> Option<&Id> {
        match self {
            Self::Actor(id) => Some(id),
            Self::System | Self::Narrator => None,
        }
    }
}

impl Serialize for Owner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::System => "system",
            Self::Narrator => "narrator",
            Self::Actor(id) => id,
        })
    }
}

impl<'de> Deserialize<'de> for Owner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(match name.as_str() {
            "system" => Self::System,
            "narrator" => Self::Narrator,
            actor => Self::Actor(Id::new(actor).map_err(serde::de::Error::custom)?),
        })
    }
}

/// What kind of words a message holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageType {
    /// What happened, as the narrator tells it. What characters say in it is one of its parts.
    Narration,
    /// What a persona or a character wants to do.
    Intention,
    /// What a persona or a character thinks. No other actor ever sees it.
    Thought,
    /// A boundary of the scene: another place, a leap in time. Its content is JSON.
    SceneMarker,
    /// What an extractor has written, only for debugging.
    System,
}

/// One entry of the stream. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Reflect)]
#[reflect(opaque)]
pub struct Message {
    /// Who it comes from.
    pub owner: Owner,
    /// What kind of words it holds.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The turn that it belongs to, from 1.
    pub turn_id: u64,
    /// Its place in the turn, from 1 without gaps.
    pub seq: u32,
    /// The words: as they were told or wanted; of a scene marker and a summary JSON.
    pub content: String,
    /// The id of the location where it happened; `None` where its owner is nowhere.
    pub place: Option<Id>,
    /// The id of the location that the actor left in this act; `None` where the actor has stayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Id>,
    /// The id of the actor whose act it tells; `None` for a message that is not a narration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Id>,
    /// The ids of the personas and characters who perceived it, in order of the alphabet. It is fixed when the turn is
    /// committed.
    pub audience: Vec<Id>,
    /// The parts of a narration, in order: what is told and what is said. Empty for every other message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<NarrationPart>,
}
