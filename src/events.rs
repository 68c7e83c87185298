//! The events that the game receives. All of them are for observers.
//!
//! | event | target | when |
//! |---|---|---|
//! | [`DramatisReady`] | none | once, when the script, the story and every character that was asked for are loaded or have failed |
//! | [`RunStarted`] | none | a request became a run |
//! | [`AttemptFailed`] | none | a reply, or the call for it, failed |
//! | [`ThinkingLine`] | the character | no reply came within two seconds of call time (`Limits::thinking_after`) |
//! | [`SpokeSentence`] | the character | with [`Delivery::Sentences`](crate::pipeline::Delivery::Sentences): a sentence was judged and is heard, while the reply is still coming |
//! | [`Spoke`] | the character | a line was accepted, or a fallback was chosen |
//! | [`Applied<A>`](Applied) | none | once for each action that was done, in order; of a run after [`Spoke`] |
//! | [`Remembered`] | the character | once for each memory that was stored, after the actions |
//! | [`Forgotten`] | none | the character has forgotten an episode: there was no room for it, the game removed it, or the game took back what it tells of |
//! | [`NotRemembered`] | the character | a change of memory in an accepted reply was not made |
//! | [`ClarificationNeeded`] | none | the words of a turn may mean several things, or nothing |
//! | [`TurnEnded`] | none | last event of a turn that the game asked for with [`act` or `perform`](crate::actor_turns) |
//! | [`Narrated`] | the turn | the narrator has told something, provisionally |
//! | [`AdventureTurnEnded`] | the turn | last event of a turn of an adventure: the whole turn counts, or none of it |
//! | [`TurnTold`] | none | the prose of such a turn, where the game wants it |
//! | [`ToolCalled`] | none | an extractor has called a tool of the game |
//! | [`AsideAnswered`] | none | the engine answered a question outside the story, or none of its replies was usable |
//! | [`PlanProposed`] | none | a plan has passed its checks, and the gates have weighed it |
//! | [`PlanQuestion`] | none | the player is to say whether a plan is what was meant or may be carried out; or the plan is over, and the player may ask for another one |
//! | [`PlanDecided`] | none | the decision whether a plan is carried out |
//! | [`StepDone`] | none | a step of a plan was carried out |
//! | [`PlanEnded`] | none | last event of a plan |
//! | [`CallPostponed`] | none | the call of a run waits, because the engine already serves as many calls as it can |
//! | [`CallRefused`] | none | the plugin does not make the call of a run, because it would be too late or the engine cannot be asked |
//! | [`BreakerChanged`] | none | the code stops asking an engine that fails for a while, or the engine answers again |
//! | [`EngineStatusChanged`] | none | an engine cannot be asked any more, or can be asked again |
//! | [`ModelChanged`] | none | an engine says that it is another model |
//! | [`RoutineBlocked`] | the character | it cannot get where its routine wants it to be; once for each denied step |
//! | [`StepWanted`] | the character | the game walks it itself, and it is to go to the next location |
//! | [`NewsTold`] | the character that was told | a character has told another what it remembers |
//! | [`LinesOffered`] | the character | lines that the player could say to it, where the game has asked for them |
//! | [`RequestRefused`] | none | a request started no run, or no turn |
//! | [`Retraction`] | none | a command took back a line, a turn or an act |
//! | [`CommandFailed`] | none | a command for an adventure, a plan or a recording failed |
//! | [`RunEnded`] | none | last event of a run |
//! | [`DuplicateCharacter`] | the second entity | two living entities are the same character; the second one stays mute |
//! | [`AuthoringFailed`] | none | a file could not be used |
//! | [`GameLoaded`] | none | a save replaced the game; sent at once |
//!
//! A journal that is kept in a file sends `TurnStored`, `JournalStopped`, `JournalResumed`, `JournalBehind` and `JournalVerified`;
//! saves send `GameSaved`, `SaveFailed`, `LoadFailed` and `GameCaptured`: see [`crate::journal`].
//!
//! Events about runs, turns and plans are sent in [`ResultSystems`](crate::plugin::ResultSystems), after
//! [`PipelineSystems::Fallback`](crate::plugin::PipelineSystems), in the order of their runs. An observer sees committed state;
//! what it changes belongs to the next run.
//!
//! An event with a target is an [`EntityEvent`](bevy::ecs::event::EntityEvent): an observer can also watch one entity
//! (`commands.entity(guard).observe(..)`). It is not sent when its target has left the game meanwhile. An event without a target
//! that is about a character or an actor has its id, and its entity as long as it is in the game.
//!
//! A system that wants events in batches lets an observer write its own message:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! #[derive(Message)]
//! struct Line(String);
//! fn show(mut lines: MessageReader<Line>) {
//!     for line in lines.read() {
//!         println!("{}", line.0);
//!     }
//! }
//! fn plugin(app: &mut App) {
//!     app.add_message::<Line>()
//!         .add_observer(|spoke: On<Spoke>, mut lines: MessageWriter<Line>| {
//!             lines.write(Line(spoke.line.clone()));
//!         })
//!         .add_systems(Update, show);
//! }
//! # plugin(&mut App::new());
//! ```

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
pub use crate::pipeline::run::retraction::{Retracted, Retraction};
pub use crate::plans::events::{PlanDecided, PlanEnded, PlanProposed, PlanQuestion, StepDone};
pub use crate::town::events::{LinesOffered, NewsTold, RoutineBlocked};
pub use crate::town::walks::StepWanted;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::GameCaptured;
    use bevy::prelude::Event;
    use bevy::reflect::{TypeInfo, Typed};

    fn has_fields<E: Event + Typed>() -> bool {
        matches!(E::type_info(), TypeInfo::Struct(event) if event.field_len() > 0)
    }

    macro_rules! have_fields {
        ($($event:ty),* $(,)?) => {
            [$((stringify!($event), has_fields::<$event>())),*]
        };
    }

    #[test]
    fn a_tool_that_knows_only_reflection_can_show_the_events() {
        for (event, has_fields) in have_fields![
            AdventureTurnEnded,
            AsideAnswered,
            AttemptFailed,
            AuthoringFailed,
            BreakerChanged,
            CallPostponed,
            CallRefused,
            ClarificationNeeded,
            CommandFailed,
            DuplicateCharacter,
            EngineStatusChanged,
            Forgotten,
            GameCaptured,
            GameLoaded,
            LinesOffered,
            ModelChanged,
            Narrated,
            NewsTold,
            NotRemembered,
            PlanDecided,
            PlanEnded,
            PlanProposed,
            PlanQuestion,
            Remembered,
            RequestRefused,
            Retraction,
            RoutineBlocked,
            RunEnded,
            RunStarted,
            Spoke,
            SpokeSentence,
            StepDone,
            StepWanted,
            ThinkingLine,
            ToolCalled,
            TurnEnded,
            TurnTold,
        ] {
            assert!(has_fields, "{event}");
        }
    }
}
