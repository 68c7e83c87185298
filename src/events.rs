//! What the game is told. Every result goes out twice: as an entity event for observers and as a message.
//!
//! | event | target | when |
//! |---|---|---|
//! | [`DramatisReady`] | none | once, when the script, the story and every character that was asked for are loaded or have failed |
//! | [`RunStarted`] | the character | a request became a run |
//! | [`AttemptFailed`] | the character | a reply, or the call for it, failed |
//! | [`ThinkingLine`] | the character | no reply came within two seconds of call time (`Limits::thinking_after`) |
//! | [`SpokeSentence`] | the character | with [`Delivery::Sentences`](crate::pipeline::Delivery::Sentences): a sentence was judged and is heard, while the reply is still coming |
//! | [`Spoke`] | the character | a line was accepted, or a fallback was chosen |
//! | [`Applied<A>`](Applied) | the actor | once for each action that was done, in order; of a run after [`Spoke`] |
//! | [`Remembered`] | the character | once for each memory that was stored, after the actions |
//! | [`NotRemembered`] | the character | a change of memory in an accepted reply was not made |
//! | [`ClarificationNeeded`] | the actor | the words of a turn may mean several things, or nothing |
//! | [`TurnEnded`] | the actor | last of a turn that was asked for by [`act` or `perform`](crate::actor_turns) |
//! | [`Narrated`] | the turn | the narrator has told something, provisionally |
//! | [`AdventureTurnEnded`] | the turn | last of a turn of an adventure: all of it counts, or nothing |
//! | [`TurnTold`] | the actor | the prose of such a turn, where the game wants it |
//! | [`ToolCalled`] | none | an extractor has called a tool of the game |
//! | [`AsideAnswered`] | none | a question beside the story was answered, or could not be |
//! | [`PlanProposed`] | the character | a plan has passed its checks, and the gates have weighed it |
//! | [`PlanQuestion`] | the character | the player is asked whether this was meant, or whether it may be done |
//! | [`PlanDecided`] | the character | it is decided whether a plan is carried out |
//! | [`StepDone`] | the character | a step of a plan was carried out |
//! | [`PlanEnded`] | the character | last of a plan |
//! | [`CallPostponed`] | the character | its call waits for its turn, since its engine serves no more at once |
//! | [`CallRefused`] | the character | its call is not made, since it could not be in time or its engine cannot be asked |
//! | [`BreakerChanged`] | none | an engine that fails is asked no more for a while, or answers again |
//! | [`EngineStatusChanged`] | none | an engine cannot be asked any more, or can be asked again |
//! | [`ModelChanged`] | none | an engine says that it is another model |
//! | [`RequestRefused`] | the character or actor, if it is known | a request started no run, or no turn |
//! | [`RunEnded`] | the character | last of a run |
//! | [`DuplicateCharacter`] | the second entity | two living entities are the same character; the second one stays mute |
//! | [`AuthoringFailed`] | none | a file could not be used |
//! | [`GameLoaded`] | none | a save took the place of the game; sent at once |
//!
//! A journal that is kept in a file sends `TurnStored`, `JournalStopped`, `JournalResumed` and `JournalBehind`: see
//! [`crate::journal`].
//!
//! All leave in [`ResultSystems`](crate::plugin::ResultSystems), after
//! [`PipelineSystems::Fallback`](crate::plugin::PipelineSystems), in the order of their runs. An observer sees committed
//! state; what it changes belongs to the next run. Messages are written at the same time. An event whose target is not
//! known, or does not live any more, is sent as a message alone.

use crate::adventure::message::Message as NarrationMessage;
use crate::adventure::record::AdventureRecord;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::engine::{BreakerState, EngineIdentity, EngineStatus};
use crate::format::AuthoringError;
use crate::gate::{Failure, MemoryChange};
use crate::npc::{CouldNot, RequestError};
use crate::pipeline::run::attempt::AttemptError;
use crate::pipeline::run::outcome::Outcome;
use crate::plans::decision::Gate;
use crate::plans::plan::{PlanId, PlanStatus};
use crate::plans::profile::Answer;
use crate::proposal::ToolValue;
use crate::world::{Clarification, NpcAction, ProposedAction, TurnRecord};
use bevy::ecs::event::EntityTrigger;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// A request became a run. It is the first event of its run.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct RunStarted {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run. Its components hold the state of the run. It stays as long as
    /// [`RunHistory`](crate::pipeline::RunHistory) keeps it.
    pub run: Entity,
}

/// An attempt failed. Another one follows unless [`Spoke`] or [`RunEnded`] comes next for this run.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct AttemptFailed {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
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
    pub failures: Vec<Failure>,
}

/// The character says something while it thinks. Nobody remembers it.
#[derive(EntityEvent, Message, Debug, Clone)]
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
#[derive(EntityEvent, Message, Debug, Clone)]
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
    /// Whether it is an authored line, because no reply would do.
    pub fallback: bool,
}

/// The character says a sentence, in a run with [`Delivery::Sentences`](crate::pipeline::Delivery::Sentences). It was judged, and
/// it stays said, whatever becomes of the rest of the reply.
///
/// Everything that is heard in such a run comes as this event, a fallback line too. [`Spoke`] follows in the end with all of it
/// as one line, unless the run is cancelled or fails.
#[derive(EntityEvent, Message, Debug, Clone)]
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
    /// Whether it is the authored line that ends a run, because no reply would do.
    pub fallback: bool,
}

/// The call of a run waits for its turn, since its engine serves no more at once (contract row E1). It is told once a run.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct CallPostponed {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run.
    pub run: Entity,
    /// How many calls that wait as well have their turn before it, as things are now.
    pub before: usize,
}

/// The call of a run is not made, and its run goes on as after a call that failed: with an authored line, as a rule (contract
/// rows E1 and E3).
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct CallRefused {
    /// The entity of the character.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The entity of the run.
    pub run: Entity,
    /// Why it is not made; its text is the message of the attempt that failed.
    pub reason: CallRefusal,
}

/// Why a call is not made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallRefusal {
    /// With all that is to be done before it, its reply could not be there before the run's deadline.
    #[error("the engine has so much to do that the call could not be in time")]
    TooLate,
    /// The engine has failed too often.
    #[error("the engine has failed too often and is asked again in {} ms", .wait.0)]
    Failing {
        /// How long nobody asks it; 0 while one call sees whether it answers again.
        wait: Millis,
    },
    /// The engine cannot be asked now, as it says itself.
    #[error("the engine cannot be asked: {0}")]
    NotReady(String),
}

/// An engine is asked no more for a while since it fails, is asked once to see whether it answers again, or answers again
/// (contract row E3).
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct BreakerChanged {
    /// The name of the engine; `None` for the default one.
    pub engine: Option<String>,
    /// Whether it is asked from now on.
    pub state: BreakerState,
}

/// An engine says that it cannot be asked any more, what it is doing meanwhile, or that it can be asked again (contract row
/// E5).
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct EngineStatusChanged {
    /// The name of the engine; `None` for the default one.
    pub engine: Option<String>,
    /// How it is doing from now on.
    pub status: EngineStatus,
}

/// A reply that was accepted has changed the character's memory. Each stored change is an event of its own.
#[derive(EntityEvent, Message, Debug, Clone)]
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

/// A reply was accepted, and one of its changes of memory was not made: a judge rejected it alone, a [`MutationGuards`]
/// function refused it, or the memory has no room. It is logged, too.
///
/// [`MutationGuards`]: crate::pipeline::MutationGuards
#[derive(EntityEvent, Message, Debug, Clone)]
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
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct RunEnded {
    /// The character. It may have been despawned.
    #[event_target]
    pub entity: Entity,
    /// The id of the character, as its author wrote it.
    pub npc: Id,
    /// The run's entity; its components hold all that happened, unless the game has removed it.
    pub run: Entity,
    /// How the run ended: Accepted, Fallback, Rejected, Failed or Cancelled.
    pub outcome: Outcome,
}

/// Two living entities are the same character. The second one stays mute: it has lost its `LoadedCharacter`.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Eq)]
pub struct DuplicateCharacter {
    /// The entity that came second. It stays mute.
    #[event_target]
    pub entity: Entity,
    /// The id that both characters have.
    pub npc: Id,
    /// The entity that keeps the id.
    pub other: Entity,
}

/// A request started no run, or words and actions of an actor started no turn.
#[derive(Message, Debug, Clone)]
pub struct RequestRefused {
    /// Who was asked; `None` when nobody has this id.
    pub entity: Option<Entity>,
    /// The id of who was asked, as the game wrote it; empty for a character whose file is not loaded.
    pub npc: String,
    /// Why the request was refused.
    pub error: RequestError,
}

/// An action was done: a character's, out of its reply, or an actor's own. `A` is the action's type, such as
/// [`Open`](crate::world::actions::Open).
///
/// It is sent when all that its turn or run has changed is in place. Lifecycle observers (`On<Insert, PlacedIn>` and their
/// like) see each change by itself, while the others of the turn are still to come: do not decide by those.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// fn swing(opened: On<Applied<Open>>, mut doors: Query<&mut Transform>) {
///     if let Some(mut door) = opened.target.and_then(|door| doors.get_mut(door).ok()) {
///         door.rotate_y(1.5);
///     }
/// }
/// # App::new().add_observer(swing);
/// ```
#[derive(Message, Debug, Clone)]
pub struct Applied<A: NpcAction> {
    /// Who acted; `None` when it has no entity (any more).
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// The run that it belongs to; `None` for an actor's own turn.
    pub run: Option<Entity>,
    /// The number of the turn that it belongs to; `None` for a character's reply.
    pub turn: Option<u64>,
    /// The entity of the action's target; `None` when the action has no target, or the target does not live.
    pub target: Option<Entity>,
    /// The action as its Rust type. Its references are ids.
    pub action: A,
}

impl<A: NpcAction> Applied<A> {
    /// Tells the character that the game could not do it, although it was approved. `why` is a sentence of the game. Queue it as
    /// a command; the next prompt of the character says it.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_dramatis::prelude::*;
    /// fn swing(opened: On<Applied<Open>>, stuck: Query<&Stuck>, mut commands: Commands) {
    ///     if opened.target.is_some_and(|door| stuck.contains(door)) {
    ///         commands.queue(opened.could_not("The hinge is rusted through."));
    ///     }
    /// }
    /// # #[derive(Component)]
    /// # struct Stuck;
    /// # App::new().add_observer(swing);
    /// ```
    #[must_use]
    pub fn could_not(&self, why: impl Into<String>) -> CouldNot {
        let action = ProposedAction::of(&self.action);
        let target = action.fields.get("target").and_then(|id| id.as_str());
        CouldNot::new(self.actor.clone(), A::NAME, target.map(str::to_owned), why)
    }
}

/// Words of a turn may mean several things, or nothing: ask back, and
/// [`answer`](crate::actor_turns::ActorCommandsExt::answer).
#[derive(Message, Debug, Clone)]
pub struct ClarificationNeeded {
    /// Who acted; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// The number of the turn, from 1, in the order in which turns are taken.
    pub turn: u64,
    /// What is unclear, with what it may mean.
    pub clarification: Clarification,
}

/// A turn has been taken, also when nothing could be done in it. It is the last event of its turn.
#[derive(Message, Debug, Clone)]
pub struct TurnEnded {
    /// Who acted; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// All that was asked, judged and changed in the turn.
    pub record: Arc<TurnRecord>,
}

/// The narrator has told something: it is provisional until [`AdventureTurnEnded`] confirms or withdraws all of the turn.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct Narrated {
    /// The entity of the turn.
    #[event_target]
    pub entity: Entity,
    /// What was told, with its place and its audience.
    pub message: NarrationMessage,
}

/// A turn of an adventure is over. When it was committed, all of it counts: what was told, done, felt and found out. When it
/// failed, nothing does, and what was told is withdrawn.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct AdventureTurnEnded {
    /// The entity of the turn. It is despawned when everybody has been told.
    #[event_target]
    pub entity: Entity,
    /// All that is kept of the turn.
    pub record: Arc<AdventureRecord>,
}

/// The turn of an actor outside of an adventure, in prose. It comes after [`TurnEnded`] where
/// [`TurnNarration`](crate::adventure::TurnNarration) is on.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct TurnTold {
    /// Who acted; `None` when it has no entity.
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// The number of the turn, as in its [`TurnEnded`].
    pub turn: u64,
    /// What happened, in one or a few sentences; never empty.
    pub text: String,
    /// Whether an engine has told it. If not, its replies would not do, and built-in sentences tell it.
    pub by_engine: bool,
}

/// A question beside the story was answered, or could not be.
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct AsideAnswered {
    /// The id of the persona whose player asked.
    pub persona: Id,
    /// What the player asked, without control characters.
    pub question: String,
    /// The answer; `None` when no reply would do.
    pub answer: Option<String>,
}

/// An extractor has called a tool of the game, and the turn in which it did is committed. See
/// [`add_tool`](crate::app::DramatisAppExt::add_tool).
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct ToolCalled {
    /// The number of the turn.
    pub turn_id: u64,
    /// The id of the character or persona whose extractor called it; `None` for that of lore.
    pub npc: Option<Id>,
    /// The name of the tool.
    pub tool: String,
    /// What it was called with, by field: all fields of the tool, each as the tool takes it.
    pub fields: BTreeMap<String, ToolValue>,
}

/// An engine says that it is another model than before. Plans that the other one has made are blocked before their next step, or
/// the player is asked once more when only the version has changed (contract row S5).
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct ModelChanged {
    /// The name of the engine; `None`: the default one.
    pub engine: Option<String>,
    /// What it was.
    pub before: EngineIdentity,
    /// What it is.
    pub now: EngineIdentity,
}

/// A plan has passed its checks, and the gates have weighed it. What they say stands in it.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct PlanProposed {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
}

/// The player is asked something:
///
/// - [`PlanStatus::Asking`], whether this is what was meant; [`PlanStatus::Pending`], whether the plan may be carried out. Answer with
///   [`approve_plan`](crate::plans::PlanCommandsExt::approve_plan) or
///   [`deny_plan`](crate::plans::PlanCommandsExt::deny_plan). Silence for 300 seconds is a no.
/// - [`PlanStatus::Blocked`], since the model is another one than made the plan, or [`PlanStatus::Rejected`], since none could be
///   asked: the plan is over, and nothing has to be answered. Another one for the same wish begins with
///   [`regenerate_plan`](crate::plans::PlanCommandsExt::regenerate_plan).
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct PlanQuestion {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// What is asked.
    pub status: PlanStatus,
}

/// It is decided whether a plan is carried out.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct PlanDecided {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// What is decided.
    pub decision: Answer,
    /// The gate that decided; `None` when none had anything to say.
    pub gate: Option<Gate>,
    /// Why it is not carried out; `None` when it is.
    pub reason: Option<String>,
}

/// A step of a plan was carried out. The next one follows in a later frame, unless the game
/// [holds](crate::plans::PlanCommandsExt::hold_plan) the plan now.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct StepDone {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// The id of the step.
    pub step: String,
}

/// A plan is over. It is the last event of its plan.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct PlanEnded {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// How it ended.
    pub status: PlanStatus,
    /// Why it was not carried out to its end; `None` when it was.
    pub reason: Option<String>,
}

macro_rules! optional_target {
    ($($event:ident $(<$action:ident>)?),*) => {
        $(
            impl $(<$action: NpcAction>)? Event for $event $(<$action>)? {
                type Trigger<'a> = EntityTrigger;
            }

            impl $(<$action: NpcAction>)? EntityEvent for $event $(<$action>)? {
                /// The entity, or [`Entity::PLACEHOLDER`] where there is none: such an event is sent as a message alone.
                fn event_target(&self) -> Entity {
                    self.entity.unwrap_or(Entity::PLACEHOLDER)
                }
            }
        )*
    };
}

optional_target!(
    RequestRefused,
    Applied<A>,
    ClarificationNeeded,
    TurnEnded,
    TurnTold,
    PlanProposed,
    PlanQuestion,
    PlanDecided,
    StepDone,
    PlanEnded
);

/// Everything that a game asked for is loaded: the script of the engine, the story with its world, and every character that
/// was spawned with [`Npc`](crate::npc::Npc) before. A file that failed counts as loaded; [`AuthoringFailed`] has named it.
///
/// It is sent once. Characters that are spawned later are ready when they get their
/// [`LoadedCharacter`](crate::npc::LoadedCharacter). See also the run condition
/// [`dramatis_ready`](crate::plugin::dramatis_ready).
#[derive(Event, Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramatisReady;

/// A file could not be used. The old one stays where there is one.
#[derive(Event, Message, Debug, Clone)]
pub struct AuthoringFailed {
    /// What is wrong, with file, line and column.
    pub error: AuthoringError,
}

/// A game was loaded: everything of the judged world, and every mind, is what the save says. What the game itself keeps
/// beside them is its own to bring in step, resources that are bound as world facts among them.
#[derive(Event, Message, Debug, Clone, PartialEq, Eq)]
pub struct GameLoaded {
    /// The path of the save file.
    pub path: PathBuf,
    /// How many records the journal in the save holds.
    pub records: u64,
}
