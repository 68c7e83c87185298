//! Events about runs and the engines that they ask.

use super::run::attempt::AttemptError;
use super::run::outcome::Outcome;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::engine::BreakerState;
use crate::engine::EngineIdentity;
use crate::engine::EngineStatus;
use crate::gate::Failure;
use crate::gate::MemoryChange;
use crate::outbox::about_entity;
use bevy::prelude::*;
use thiserror::Error;

/// A request became a run. It is the first event of its run.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct RunStarted {
    /// The entity of the character, or that for which a stage is asked, such as a turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run. Its components hold the state of the run. It stays as long as
    /// [`RunHistory`](crate::pipeline::RunHistory) keeps it.
    pub run: Entity,
}

/// An attempt failed. Another one follows unless [`Spoke`] or [`RunEnded`] comes next for this run.
#[derive(Event, Debug, Clone, Reflect)]
#[reflect(from_reflect = false)]
#[non_exhaustive]
pub struct AttemptFailed {
    /// The entity of the character, or that for which a stage is asked, such as a turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run that made the attempt.
    pub run: Entity,
    /// The number of the attempt in its run, counted from 0.
    pub attempt: u32,
    /// Why there was no reply; `None` when there was one and the gate refused it.
    pub error: Option<AttemptError>,
    /// The same in a sentence for people, such as "the script has no reply left that fits"; `None` when there was a reply.
    pub message: Option<String>,
    /// What the gate found, in the order of the judges; empty when there was no reply.
    #[reflect(ignore)]
    pub failures: Vec<Failure>,
}

/// The character says something while it thinks. No character remembers it.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct ThinkingLine {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run that is still waiting for its reply.
    pub run: Entity,
    /// One of the lines that the character's file lists under `thinking`. It is never empty.
    pub line: String,
}

/// The character speaks: a line that the gate approved, or an authored one. A run sends it at most once.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct Spoke {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The character's id; `unknown` for a character whose file could not be loaded.
    pub npc: Id,
    /// The run's entity; `None` for a character whose file could not be loaded, and for a run that the game has removed.
    pub run: Option<Entity>,
    /// What it says. Empty only when an accepted reply does something without a word.
    pub line: String,
    /// Whether it is an authored line, because no reply was usable.
    pub fallback: bool,
}

/// The character says a sentence, in a run with [`Delivery::Sentences`](crate::pipeline::Delivery::Sentences). The sentence was
/// judged, and it stays said, whatever happens to the rest of the reply.
///
/// Every sentence that is heard in such a run comes as this event, including a fallback line. At the end, [`Spoke`] follows with
/// all of them as one line, unless the run is cancelled or fails.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct SpokeSentence {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run.
    pub run: Entity,
    /// Which sentence of the run, counted from 0.
    pub index: usize,
    /// What it says, without white space around it. Never empty.
    pub sentence: String,
    /// Whether it is the authored line that ends a run, because no reply was usable.
    pub fallback: bool,
}

/// The call of a run waits for its turn, because its engine takes no more calls now. Sent once per run.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct CallPostponed {
    /// The entity of the character, or that for which a stage is asked, such as a turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run.
    pub run: Entity,
    /// How many other waiting calls have their turn before it, as of now.
    pub before: usize,
}

/// The call of a run is not made, and its run goes on as after a call that failed: usually with an authored line.
#[derive(Event, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct CallRefused {
    /// The entity of the character, or that for which a stage is asked, such as a turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run.
    pub run: Entity,
    /// Why it is not made; its text is the message of the attempt that failed.
    pub reason: CallRefusal,
}

/// Why a call is not made.
#[derive(Debug, Clone, PartialEq, Eq, Error, Reflect)]
#[non_exhaustive]
pub enum CallRefusal {
    /// Other calls come before it, and its reply would come after the run's deadline.
    #[error("the engine has so much to do that the call could not be in time")]
    TooLate,
    /// The engine has failed too often.
    #[error("the engine has failed too often and is asked again in {} ms", .wait.0)]
    Failing {
        /// How long the engine gets no calls; 0 while one call tests whether it answers again.
        wait: Millis,
    },
    /// The engine cannot be asked now, as it says itself.
    #[error("the engine cannot be asked: {0}")]
    NotReady(String),
}

/// The breaker of an engine has changed: the engine gets no calls for a while because it fails, gets one call to see whether it
/// answers again, or answers again.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct BreakerChanged {
    /// The name of the engine; `None` for the default one.
    pub engine: Option<String>,
    /// Whether it gets calls from now on.
    pub state: BreakerState,
}

/// An engine says that it cannot be asked any more, what it is doing meanwhile, or that it can be asked again.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct EngineStatusChanged {
    /// The name of the engine; `None` for the default one.
    pub engine: Option<String>,
    /// Its status from now on.
    pub status: EngineStatus,
}

/// A reply that was accepted has changed the character's memory. Each stored change is an event of its own.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct Remembered {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run whose reply asked for it.
    pub run: Entity,
    /// What was stored: an episode, a belief, or a change of a relationship.
    pub change: MemoryChange,
}

/// A reply was accepted, and one of its changes of memory was not made: a judge rejected it alone, a `MutationGuards`
/// function refused it, or the memory has no room. It is logged, too.
#[derive(EntityEvent, Debug, Clone, Reflect)]
#[non_exhaustive]
pub struct NotRemembered {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run whose reply asked for it.
    pub run: Entity,
    /// Why, in a sentence for people, with the type of the mutation.
    pub why: String,
}

/// A run has ended. It is the last event of its run.
#[derive(Event, Debug, Clone, Reflect)]
#[reflect(from_reflect = false)]
#[non_exhaustive]
pub struct RunEnded {
    /// The entity of the character, or that for which a stage was asked, such as a turn; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The run's entity; its components hold all that happened, unless the game has removed it.
    pub run: Entity,
    /// How the run ended: Accepted, Fallback, Rejected, Failed or Cancelled.
    pub outcome: Outcome,
}

/// An engine says that it is another model than before. Plans that the other one has made are blocked before their next step, or
/// the player is asked once more when only the version has changed.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct ModelChanged {
    /// The name of the engine; `None`: the default one.
    pub engine: Option<String>,
    /// The model before the change.
    pub before: EngineIdentity,
    /// The model after the change.
    pub now: EngineIdentity,
}

about_entity!(
    RunStarted,
    AttemptFailed,
    CallPostponed,
    CallRefused,
    RunEnded
);
