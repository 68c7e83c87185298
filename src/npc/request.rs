//! Why a character should respond, and why a request can be refused.

use crate::base::ids::{BadId, Id};
use crate::engine::EngineChoiceError;
use crate::rules::TriggerReason;
use crate::text::without_controls;
use bevy::prelude::*;
use thiserror::Error;

/// The most characters that may be said to a character at once.
pub(crate) const MAX_INPUT_CHARS: usize = 2_000;
/// How many tags a request may have.
pub const MAX_TAGS: usize = 32;

/// Why a character should respond. The game writes it, with ids as texts; the code checks it when it is submitted.
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
pub struct Request {
    /// Why the character should respond. Rules and fallback lines can ask for it.
    pub reason: TriggerReason,
    /// The id of the speaker; `None` when there is no speaker. An id has 1 to 64 characters of `A-Z a-z 0-9 _ - .`.
    pub speaker: Option<String>,
    /// The spoken words, at most [`Request::MAX_INPUT_CHARS`] characters; `None` when there are none. A `PlayerUtterance` needs them.
    pub input: Option<String>,
    /// The id of the trigger whose rules apply; `None` when no authored trigger caused the request.
    pub trigger_id: Option<String>,
    /// What the trigger asks of the character, at most [`Request::MAX_INPUT_CHARS`] characters.
    pub prompt: Option<String>,
    /// The name of the scene, which rules can ask for; at most 64 characters.
    pub scene: Option<String>,
    /// Tags, which rules can ask for; at most 32, each of at most 64 characters.
    pub tags: Vec<String>,
    /// Whether it is whispered, so that no other character overhears it.
    pub whisper: bool,
}

impl Request {
    /// How many characters the words of a speech, an action or a trigger may have.
    pub const MAX_INPUT_CHARS: usize = MAX_INPUT_CHARS;

    /// A request for this reason, with nothing said.
    #[must_use]
    pub fn new(reason: TriggerReason) -> Self {
        Self {
            reason,
            speaker: None,
            input: None,
            trigger_id: None,
            prompt: None,
            scene: None,
            tags: Vec::new(),
            whisper: false,
        }
    }

    /// A speaker speaks. From the player it is a [`TriggerReason::PlayerUtterance`]; from any other speaker it is a
    /// [`TriggerReason::NpcInteraction`] with the speaker's id as a tag.
    #[must_use]
    pub fn speech(speaker: &str, player: &str, text: &str) -> Self {
        Self::said_by(speaker, speaker == player, text)
    }

    /// A speaker, who may be the player, speaks.
    pub(super) fn said_by(speaker: &str, from_player: bool, text: &str) -> Self {
        Self {
            speaker: Some(speaker.to_owned()),
            input: Some(text.to_owned()),
            tags: if from_player {
                Vec::new()
            } else {
                vec![speaker.to_owned()]
            },
            ..Self::new(if from_player {
                TriggerReason::PlayerUtterance
            } else {
                TriggerReason::NpcInteraction
            })
        }
    }

    /// Reads its ids, cleans its texts, and looks whether it keeps to the limits.
    pub(super) fn check(self) -> std::result::Result<CheckedRequest, RequestError> {
        let id = |text: Option<String>| text.map(Id::new).transpose();
        let text = |text: Option<String>| {
            let Some(text) = text else { return Ok(None) };
            let chars = text.chars().count();
            if chars > MAX_INPUT_CHARS {
                return Err(RequestError::TooLong { chars });
            }
            Ok(Some(without_controls(&text).trim().to_owned()))
        };
        let checked = CheckedRequest {
            reason: self.reason,
            speaker: id(self.speaker)?,
            trigger_id: id(self.trigger_id)?,
            input: text(self.input)?,
            prompt: text(self.prompt)?,
            scene: self.scene,
            tags: self.tags,
            whisper: self.whisper,
        };
        if checked.reason == TriggerReason::PlayerUtterance
            && checked.input.as_deref().is_none_or(str::is_empty)
        {
            return Err(RequestError::EmptyUtterance);
        }
        let words = checked.tags.iter().chain(&checked.scene);
        if checked.tags.len() > MAX_TAGS || words.clone().any(|word| word.chars().count() > 64) {
            return Err(RequestError::BadTags);
        }
        Ok(checked)
    }
}

/// A [`Request`] that has been checked: what waits for a character. Its fields are those of the request.
#[derive(Debug)]
pub(crate) struct CheckedRequest {
    pub reason: TriggerReason,
    pub speaker: Option<Id>,
    pub input: Option<String>,
    pub trigger_id: Option<Id>,
    pub prompt: Option<String>,
    pub scene: Option<String>,
    pub tags: Vec<String>,
    pub whisper: bool,
}

/// Why a request starts no run, or the words and actions of an actor start no turn.
#[derive(Debug, Clone, PartialEq, Eq, Error, Reflect)]
#[reflect(opaque)]
#[non_exhaustive]
pub enum RequestError {
    /// The id of the character, the speaker, the trigger or the actor is not a valid id.
    #[error("BadId: {0}")]
    BadId(#[from] BadId),
    /// No living character has this id.
    #[error("UnknownNpc: no character has the id \"{0}\"")]
    UnknownNpc(String),
    /// A `PlayerUtterance` says nothing: no words are left without control characters and outer white space.
    #[error("EmptyUtterance: the player says nothing")]
    EmptyUtterance,
    /// The words of the speech, the action or the trigger have more than [`Request::MAX_INPUT_CHARS`] characters.
    #[error("TooLong: {chars} characters, more than {MAX_INPUT_CHARS}")]
    TooLong {
        /// How many characters the text has.
        chars: usize,
    },
    /// There are more than 32 tags, or a tag or the scene has more than 64 characters.
    #[error("BadTags: at most {MAX_TAGS} tags, each and the scene of at most 64 characters")]
    BadTags,
    /// Game time is negative. No request to a character is taken then.
    #[error("BadTime: game time is negative")]
    BadTime,
    /// As many requests or turns wait as may wait, so that the new one is refused.
    #[error("QueueFull: {limit} requests wait already")]
    QueueFull {
        /// How many requests may wait for one character, or how many turns in all.
        limit: usize,
    },
    /// A newer request took its place, or the run it waited for was replaced.
    #[error("Replaced: a newer request took its place")]
    Replaced,
    /// The character left the game while the request waited.
    #[error("Despawned: the character is gone")]
    Despawned,
    /// The game has taken the character's mind away; without it the character cannot answer.
    #[error("NoMind: the character has no mind")]
    NoMind,
    /// The engine that the character or the stage names is not there, or cannot serve.
    #[error("NoEngine: {0}")]
    Engine(String),
    /// The turn of an adventure is for a persona that no player plays: the id names no persona, not the player, and no actor in
    /// the world.
    #[error("UnknownPersona: no player plays \"{0}\"")]
    UnknownPersona(String),
    /// The game has left out the plugin that does this, such as `AdventurePlugin`. It holds the name of the plugin.
    #[error("LeftOut: this game has left out {0}: do not disable it in DramatisPlugins")]
    LeftOut(&'static str),
    /// An intention has no words.
    #[error("EmptyIntention: the intention has no words")]
    EmptyIntention,
    /// The character that the player whispers to is not there, or cannot be perceived.
    #[error("NOT_PRESENT: \"{0}\" is not there")]
    NotPresent(String),
    /// Something is said to a character that is deaf.
    #[error("Deaf: \"{0}\" does not hear it")]
    Deaf(String),
    /// The speaker is neither the player nor an actor of the judged world.
    #[error("UnknownSpeaker: the speaker has neither a Player component nor a WorldId")]
    UnknownSpeaker,
    /// The entity that should act is not part of the judged world.
    #[error(
        "NotInWorld: the entity has no WorldId of its own, or its id is taken. Give it one, or write the player into the story's world"
    )]
    NotInWorld,
}

impl From<EngineChoiceError> for RequestError {
    fn from(error: EngineChoiceError) -> Self {
        Self::Engine(error.to_string())
    }
}
