//! What the game itself writes into a mind, with its source.

use super::change_mind::{change_mind, tell_forgotten, watch};
use super::components::LoadedCharacter;
use super::limits::keep_to_limits;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::{Millionths, Millis, in_millionths, in_millis};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::memory::authority::{Authority, WriteSource, check_authority};
use crate::memory::{DormantMinds, Episode, EpisodeError, Mind, NewBelief, Provenance};
use crate::story::ActiveStory;
use crate::world::WorldIndex;
use bevy::prelude::*;
use serde::Serialize;
use std::time::Duration;
use thiserror::Error;

/// Writes that have happened since the journal looked last, each with its source.
#[derive(Resource, Debug, Default)]
pub(crate) struct MindWriteLog(pub Vec<MindWrite>);

/// One write of the game into what a character remembers. The code decides whether its source may write it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::npc::{MindChange, MindWrite};
/// use bevy_dramatis::prelude::*;
///
/// fn the_bell_rings(mut commands: Commands) {
///     let heard = MindChange::remember(id!("bell"), "The bell rang at noon.");
///     commands.queue(MindWrite::new(id!("wizard"), heard));
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MindWrite {
    npc: Id,
    source: WriteSource,
    change: MindChange,
}

/// The change in a mind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MindChange {
    /// A new episode. Its level is that of episodes.
    Remember(NewEpisode),
    /// A belief, or another form of the one with this id. Its level is that of beliefs.
    Believe {
        /// The id of the belief. If the character already holds it, the belief changes.
        id: Id,
        /// What it believes from now on, 1 to 2,000 characters.
        text: String,
        /// How firmly, 0 to 1, to a millionth. Any other number is refused.
        #[serde(serialize_with = "in_millionths")]
        confidence: f32,
    },
    /// Removes the episode with this id, or else the belief, pinned or not. Its level is that of what is removed.
    Forget {
        /// The id of the episode or belief. An id that the character does not have is refused.
        id: Id,
    },
    /// The game tells the character the truth of something that it remembers. A correction spreads like news, and replaces the older
    /// version where it arrives. Its level is that of episodes.
    Correct {
        /// The id of an episode of the character, or of the episode that its news comes from. Any other is refused.
        id: Id,
        /// The truth, 1 to 2,000 characters.
        text: String,
    },
    /// Sets the level of a state of the character. A state that it does not have is made. Its level is that of beliefs.
    State {
        /// The kind of the state, such as `temporal`.
        category: String,
        /// The name of the state, such as `wary`; compared folded.
        label: String,
        /// How strong it is from now on, 0 to 30; more is 30.
        level: u8,
    },
}

/// What a character is to remember.
///
/// ```
/// use std::time::Duration;
/// use bevy_dramatis::npc::{MindChange, NewEpisode};
/// use bevy_dramatis::prelude::*;
///
/// let yesterday = MindChange::Remember(NewEpisode {
///     age: Duration::from_secs(24 * 60 * 60),
///     participants: vec!["ann".to_owned()],
///     ..NewEpisode::new(id!("bread"), "Ann brought bread.")
/// });
/// # let _ = yesterday;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewEpisode {
    /// Its id. An id that the character already has is refused.
    pub id: Id,
    /// What happened, 1 to 2,000 characters.
    pub text: String,
    /// How much it matters, 0 to 1, to a millionth. Any other number is refused.
    #[serde(serialize_with = "in_millionths")]
    pub significance: f32,
    /// How the character knows of it. [`Provenance::Diary`] is refused: the engine alone writes diaries.
    pub provenance: Provenance,
    /// How long ago it happened, in game time.
    #[serde(
        serialize_with = "in_millis::serialize",
        skip_serializing_if = "in_millis::is_zero"
    )]
    pub age: Duration,
    /// The ids of the participants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<String>,
    /// The id of the place; `None` where none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whether it never makes room for another.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Whether the character keeps it to itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl NewEpisode {
    /// Something that the character saw happen just now, of significance 0.5.
    #[must_use]
    pub fn new(id: Id, text: impl Into<String>) -> Self {
        Self {
            id,
            text: text.into(),
            significance: 0.5,
            provenance: Provenance::Saw,
            age: Duration::ZERO,
            participants: Vec::new(),
            place: None,
            pinned: false,
            private: false,
        }
    }

    fn into_episode(self, now: GameTime) -> std::result::Result<Episode, EpisodeError> {
        let refused = |why| Err(EpisodeError::Corrupt(self.id.to_string(), why));
        if matches!(self.provenance, Provenance::Diary(_)) {
            return refused("only the engine writes a diary");
        }
        let Some(significance) = Millionths::from_f64(self.significance.into()) else {
            return refused("its significance is outside 0-1");
        };
        let age = Millis::from(self.age);
        Ok(Episode {
            significance,
            provenance: self.provenance,
            participants: self.participants,
            place: self.place,
            pinned: self.pinned,
            private: self.private,
            ..Episode::new(self.id, self.text, GameTime(now.0.saturating_sub(age.0)))
        })
    }
}

impl MindChange {
    /// The character saw something happen just now, of significance 0.5.
    #[must_use]
    pub fn remember(id: Id, text: impl Into<String>) -> Self {
        Self::Remember(NewEpisode::new(id, text))
    }

    /// The character begins to believe something, with a confidence of 0.8.
    #[must_use]
    pub fn believe(id: Id, text: impl Into<String>) -> Self {
        Self::Believe {
            id,
            text: text.into(),
            confidence: 0.8,
        }
    }

    fn level(&self, mind: &Mind) -> Authority {
        match self {
            Self::Remember(_) | Self::Correct { .. } => Authority::Episode,
            Self::Believe { .. } => Authority::Belief,
            Self::Forget { id } if mind.episodes.get(id).is_some() => Authority::Episode,
            Self::Forget { .. } | Self::State { .. } => Authority::Belief,
        }
    }
}

/// Why a write into a mind did not happen. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MindWriteError {
    /// No character has this id, in the game or gone.
    #[error("UnknownNpc: no character has the id \"{0}\"")]
    UnknownNpc(Id),
    /// The source may not write this.
    #[error("NoAuthority: {0}")]
    NoAuthority(String),
    /// The episode or the belief cannot be stored, or the character has as many states as it may have. The text says which.
    #[error("{0}")]
    Refused(String),
    /// There is neither an episode nor a belief with this id.
    #[error("Unknown: the character has no memory \"{0}\"")]
    UnknownMemory(Id),
}

fn refused(error: impl ToString) -> MindWriteError {
    MindWriteError::Refused(error.to_string())
}

impl MindWrite {
    /// A write of the game, [`WriteSource::GameSystem`].
    #[must_use]
    pub fn new(npc: Id, change: MindChange) -> Self {
        Self {
            npc,
            source: WriteSource::GameSystem,
            change,
        }
    }

    /// The id of the character that is to remember.
    #[must_use]
    pub fn npc(&self) -> &Id {
        &self.npc
    }

    /// The same write from another source, such as a suggestion of a model that the game has asked by itself.
    #[must_use]
    pub fn from_source(self, source: WriteSource) -> Self {
        Self { source, ..self }
    }

    /// Writes at once, into the mind of a character in the game or of one that has gone. Each attempt that the authority rules
    /// forbid is counted in [`DramatisCounters::authority_blocked`].
    ///
    /// # Errors
    /// See [`MindWriteError`].
    pub fn apply_to(self, world: &mut World) -> std::result::Result<(), MindWriteError> {
        let clock = world.get_resource::<DramatisClock>();
        let now = clock.map(|clock| clock.game).unwrap_or_default();
        let story = world
            .get_resource::<ActiveStory>()
            .cloned()
            .unwrap_or_default();
        let living = WorldIndex::find(world, &self.npc).filter(|npc| {
            world.get::<LoadedCharacter>(*npc).is_some() && world.get::<Mind>(*npc).is_some()
        });
        let mut blocked = false;
        let write = world
            .contains_resource::<MindWriteLog>()
            .then(|| self.clone());
        let written = match living {
            Some(npc) => {
                keep_to_limits(world, npc);
                let gone = MindWriteError::UnknownNpc(self.npc.clone());
                change_mind(world, npc, |mind| {
                    self.write(mind, &story, now, &mut blocked)
                })
                .unwrap_or(Err(gone))
            }
            None => {
                let npc = self.npc.clone();
                let mut dormant = world.get_resource_or_init::<DormantMinds>();
                let watched = dormant
                    .get_mut(&npc)
                    .map(|mind| watch(mind, |mind| self.write(mind, &story, now, &mut blocked)));
                match watched {
                    Some((written, forgotten)) => {
                        tell_forgotten(world, None, &npc, forgotten);
                        written
                    }
                    None => Err(MindWriteError::UnknownNpc(npc)),
                }
            }
        };
        if blocked {
            world
                .get_resource_or_init::<DramatisCounters>()
                .authority_blocked += 1;
        }
        if let (Ok(()), Some(write)) = (&written, write) {
            world.resource_mut::<MindWriteLog>().0.push(write);
        }
        written
    }

    fn write(
        self,
        mind: &mut Mind,
        story: &ActiveStory,
        now: GameTime,
        blocked: &mut bool,
    ) -> std::result::Result<(), MindWriteError> {
        check_authority(self.source, self.change.level(mind)).map_err(|error| {
            *blocked = true;
            MindWriteError::NoAuthority(error.to_string())
        })?;
        match self.change {
            MindChange::Remember(new) => {
                let episode = new.into_episode(now).map_err(refused)?;
                mind.episodes.store(episode, now).map_err(refused)?;
            }
            MindChange::Believe {
                id,
                text,
                confidence,
            } => {
                let confidence = Millionths::from_f64(confidence.into());
                let belief = NewBelief {
                    text: &text,
                    confidence: confidence
                        .ok_or_else(|| refused("its confidence is outside 0-1"))?,
                    contradicts_canon: story.0.canon.contradicts_belief(id.as_str(), &text),
                    pinned: false,
                };
                mind.beliefs.hold(&id, belief, now).map_err(refused)?;
            }
            MindChange::Forget { id } => {
                if !mind.episodes.remove(&id) && mind.beliefs.forget(&id).is_none() {
                    return Err(MindWriteError::UnknownMemory(id));
                }
            }
            MindChange::Correct { id, text } => {
                let corrected = mind.correct(&self.npc, &id, &text, now);
                if !corrected.map_err(refused)? {
                    return Err(MindWriteError::UnknownMemory(id));
                }
            }
            MindChange::State {
                category,
                label,
                level,
            } => mind.set_state(&category, &label, level).map_err(refused)?,
        }
        Ok(())
    }
}

/// As a command it is applied with the others; one that fails is logged as an error and changes nothing.
impl Command for MindWrite {
    type Out = ();

    fn apply(self, world: &mut World) {
        if let Err(error) = self.apply_to(world) {
            log::error!("a write into a mind failed: {error}");
        }
    }
}
