//! What the game is told. Every result goes out twice: as an entity event for observers and as a message.
//!
//! | event | target | when |
//! |---|---|---|
//! | [`RunStarted`] | the NPC | a request became a run |
//! | [`AttemptFailed`] | the NPC | a reply, or the call for it, failed |
//! | [`ThinkingLine`] | the NPC | no answer came within two seconds of call time |
//! | [`Spoke`] | the NPC | a line was accepted, or a fallback was chosen |
//! | [`Applied<A>`](Applied) | the actor | once for each action that was done, in order; of a run after [`Spoke`] |
//! | [`Remembered`] | the NPC | once for each executed mutation, after the intents |
//! | [`ClarificationNeeded`] | the actor | words of a turn may mean several things, or nothing |
//! | [`TurnEnded`] | the actor | last of a turn that was taken by [`act`](crate::actor_turns) or `perform` |
//! | [`RequestRefused`] | the NPC or actor, if it lives | a request started no run, or no turn |
//! | [`RunEnded`] | the NPC, if it lives | last of a run |
//! | [`AuthoringFailed`] | none | a file could not be used |
//! | [`GameLoaded`] | none | a save took the place of the game; sent at once |
//!
//! A journal that is kept in a file tells of `TurnStored`, `JournalStopped`, `JournalResumed` and `JournalBehind`: see
//! [`crate::journal`].
//!
//! All leave after [`PipelineSystems::Fallback`](crate::plugin::PipelineSystems), in the order of their runs. An
//! observer sees committed state; what it changes belongs to the next run. Messages are written at the same time.

use crate::format::AuthoringError;
use crate::gate::{Failure, MemoryChange};
use crate::npc::RequestError;
use crate::pipeline::run::trim_history;
use crate::pipeline::{AttemptError, Outcome};
use crate::world::{Clarification, Intent, NpcAction, TurnRecord, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

macro_rules! npc_events {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(EntityEvent, Message, Debug, Clone)]
            pub struct $name {
                /// The NPC.
                #[event_target]
                pub entity: Entity,
                /// The NPC's id.
                pub npc: String,
                $($(#[$field_doc])* pub $field: $type,)*
            }
        )*

        /// An event on its way out.
        #[derive(Debug, Clone)]
        pub(crate) enum Outgoing {
            $($name($name),)*
            Applied(AppliedAction),
            ClarificationNeeded(ClarificationNeeded),
            TurnEnded(TurnEnded),
        }

        impl Outgoing {
            /// Sends it: to observers if its target lives, and as a message.
            pub(crate) fn send(self, world: &mut World) {
                match self {
                    $(Self::$name(event) => {
                        if world.get_entity(event.entity).is_ok() {
                            world.trigger(event.clone());
                        }
                        world.write_message(event);
                    })*
                    Self::Applied(action) => action.send(world),
                    Self::ClarificationNeeded(event) => tell(world, event),
                    Self::TurnEnded(event) => tell(world, event),
                }
            }
        }

        /// Registers the messages.
        pub(crate) fn register(app: &mut App) {
            $(app.add_message::<$name>();)*
            app.add_message::<AuthoringFailed>();
            app.add_message::<GameLoaded>();
            app.add_message::<ClarificationNeeded>();
            app.add_message::<TurnEnded>();
        }
    };
}

npc_events! {
    /// A request became a run.
    RunStarted {
        /// The run's entity.
        run: Entity,
    }
    /// An attempt failed. The run may go on.
    AttemptFailed {
        /// The run's entity.
        run: Entity,
        /// Which attempt, from 0.
        attempt: u32,
        /// What the engine or the prompt said.
        error: Option<AttemptError>,
        /// What the gate said.
        failures: Vec<Failure>,
    }
    /// The character makes a sound while it thinks. Nobody remembers it.
    ThinkingLine {
        /// The run's entity.
        run: Entity,
        /// The authored line.
        line: String,
    }
    /// The character speaks.
    Spoke {
        /// The run's entity.
        run: Entity,
        /// What it says.
        line: String,
        /// Whether it is an authored line, because no reply would do.
        fallback: bool,
    }
    /// The character's memory changed.
    Remembered {
        /// The run's entity.
        run: Entity,
        /// What changed.
        change: MemoryChange,
    }
    /// A request started no run.
    RequestRefused {
        /// Why.
        error: RequestError,
    }
    /// A run has ended.
    RunEnded {
        /// The run's entity; its components hold all that happened.
        run: Entity,
        /// How.
        outcome: Outcome,
    }
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
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct Applied<A: NpcAction> {
    /// Who acted; [`Entity::PLACEHOLDER`] when it has no entity (any more).
    #[event_target]
    pub entity: Entity,
    /// The actor's id.
    pub actor: String,
    /// The run that it belongs to, if it is out of a reply.
    pub run: Option<Entity>,
    /// The turn that it belongs to, if it is an actor's own.
    pub turn: Option<u64>,
    /// The entity that plays the target, if it lives.
    pub target: Option<Entity>,
    /// What was done.
    pub action: A,
}

/// Words of a turn may mean several things, or nothing: ask back, and
/// [`answer`](crate::actor_turns::ActorCommandsExt::answer).
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct ClarificationNeeded {
    /// Who acted; [`Entity::PLACEHOLDER`] when it has no entity.
    #[event_target]
    pub entity: Entity,
    /// The actor's id.
    pub actor: String,
    /// The turn.
    pub turn: u64,
    /// What is unclear, with what it may mean.
    pub clarification: Clarification,
}

/// A turn has been taken.
#[derive(EntityEvent, Message, Debug, Clone)]
pub struct TurnEnded {
    /// Who acted; [`Entity::PLACEHOLDER`] when it has no entity.
    #[event_target]
    pub entity: Entity,
    /// The actor's id.
    pub actor: String,
    /// All that happened.
    pub record: Arc<TurnRecord>,
}

/// An action on its way out, before its type is known to anybody but the registry.
#[derive(Debug, Clone)]
pub(crate) struct AppliedAction {
    pub actor: Option<Entity>,
    pub run: Option<Entity>,
    pub turn: Option<u64>,
    pub intent: Intent,
}

impl AppliedAction {
    fn send(self, world: &mut World) {
        let senders = world.get_resource::<ActionSenders>();
        let sender = senders.and_then(|senders| senders.0.get(self.intent.kind()));
        match sender.copied() {
            Some(send) => send(world, self),
            None => log::error!("nobody registered the action \"{}\"", self.intent.kind()),
        }
    }
}

type SendApplied = fn(&mut World, AppliedAction);

/// How the actions of each action become typed events.
#[derive(Resource, Default)]
pub(crate) struct ActionSenders(BTreeMap<&'static str, SendApplied>);

impl ActionSenders {
    pub(crate) fn knows(&self, action: &str) -> bool {
        self.0.contains_key(action)
    }

    pub(crate) fn add<A: NpcAction>(&mut self) {
        self.0.insert(A::NAME, send_applied::<A>);
    }
}

fn send_applied<A: NpcAction>(world: &mut World, applied: AppliedAction) {
    let action = match applied.intent.typed::<A>() {
        Ok(action) => action,
        Err(error) => {
            log::error!(
                "the fields of \"{}\" are not those of its type: {error}",
                A::NAME
            );
            return;
        }
    };
    let index = world.get_resource::<WorldIndex>();
    let target = applied.intent.target().and_then(|id| index?.get(id));
    let actor = applied
        .actor
        .filter(|actor| world.get_entity(*actor).is_ok());
    let event = Applied {
        entity: actor.unwrap_or(Entity::PLACEHOLDER),
        actor: applied.intent.actor().to_owned(),
        run: applied.run,
        turn: applied.turn,
        target,
        action,
    };
    tell(world, event);
}

/// Sends an event to observers, if its target lives, and as a message.
fn tell<E>(world: &mut World, event: E)
where
    E: EntityEvent + Message + Clone,
    for<'a> E::Trigger<'a>: Default,
{
    if world.get_entity(event.event_target()).is_ok() {
        world.trigger(event.clone());
    }
    world.write_message(event);
}

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
    /// The file.
    pub path: PathBuf,
    /// How many records its journal holds.
    pub records: u64,
}

/// Events that wait for the end of the pipeline's pass.
#[derive(Resource, Debug, Default)]
pub(crate) struct Outbox(pub Vec<Outgoing>, u64);

impl Outbox {
    /// Drops what has gathered, and what is being sent: another game has taken the place of the one that it is about.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
        self.1 += 1;
    }
}

/// Sends what has gathered, in order.
pub(crate) fn send_outgoing(world: &mut World) {
    let mut outbox = world.resource_mut::<Outbox>();
    let (outgoing, game) = (std::mem::take(&mut outbox.0), outbox.1);
    for event in outgoing {
        event.send(world);
        // An observer may have loaded another game.
        world.flush();
        if world.resource::<Outbox>().1 != game {
            break;
        }
    }
    trim_history(world);
}
