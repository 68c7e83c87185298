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
//! | [`Forgotten`] | the character, if it is in the game | an episode is gone: for lack of room, by the game, or since what it tells of was taken back |
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
//! | [`CommandFailed`] | no one | a command for an adventure or a plan could not be done |
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

pub use crate::actor_turns::events::{ClarificationNeeded, TurnEnded};
pub use crate::adventure::events::{
    AdventureTurnEnded, AsideAnswered, Narrated, ToolCalled, TurnTold,
};
pub use crate::commit::applied::Applied;
pub use crate::journal::events::GameLoaded;
pub use crate::loading::events::{AuthoringFailed, DramatisReady};
pub use crate::npc::events::{CommandFailed, DuplicateCharacter, Forgotten, RequestRefused};
pub use crate::outbox::Outbox;
pub use crate::pipeline::events::{
    AttemptFailed, BreakerChanged, CallPostponed, CallRefusal, CallRefused, EngineStatusChanged,
    ModelChanged, NotRemembered, Remembered, RunEnded, RunStarted, Spoke, SpokeSentence,
    ThinkingLine,
};
pub use crate::plans::events::{PlanDecided, PlanEnded, PlanProposed, PlanQuestion, StepDone};
