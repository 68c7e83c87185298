//! What the game is told. Every result goes out twice: as an entity event for observers and as a message.
//!
//! | event | target | when |
//! |---|---|---|
//! | [`RunStarted`] | the NPC | a request became a run |
//! | [`AttemptFailed`] | the NPC | a reply, or the call for it, failed |
//! | [`ThinkingAloud`] | the NPC | no answer came within two seconds of call time |
//! | [`Spoke`] | the NPC | a line was accepted, or a fallback was chosen |
//! | [`IntentApproved`] | the NPC | once for each approved intent, in order, after [`Spoke`] |
//! | [`Remembered`] | the NPC | once for each executed mutation, after the intents |
//! | [`RequestRefused`] | the NPC, if it lives | a request started no run |
//! | [`RunEnded`] | the NPC, if it lives | last of a run |
//! | [`AuthoringFailed`] | none | a file could not be used |
//!
//! All leave after [`PipelineSystems::Fallback`](crate::plugin::PipelineSystems), in the order of their runs. An
//! observer sees committed state; what it changes belongs to the next run. Messages are written at the same time.

use crate::format::AuthoringError;
use crate::gate::{Failure, MemoryChange};
use crate::npc::RequestError;
use crate::pipeline::run::trim_history;
use crate::pipeline::{AttemptError, Outcome};
use crate::world::Intent;
use bevy::prelude::*;

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
        pub(crate) enum Outgoing { $($name($name),)* }

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
                }
            }
        }

        /// Registers the messages.
        pub(crate) fn register(app: &mut App) {
            $(app.add_message::<$name>();)*
            app.add_message::<AuthoringFailed>();
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
    ThinkingAloud {
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
    /// The character does something.
    IntentApproved {
        /// The run's entity.
        run: Entity,
        /// What it does.
        intent: Intent,
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

/// A file could not be used. The old one stays where there is one.
#[derive(Event, Message, Debug, Clone)]
pub struct AuthoringFailed {
    /// What is wrong, with file, line and column.
    pub error: AuthoringError,
}

/// Events that wait for the end of the pipeline's pass.
#[derive(Resource, Debug, Default)]
pub(crate) struct Outbox(pub Vec<Outgoing>);

/// Sends what has gathered, in order.
pub(crate) fn send_outgoing(world: &mut World) {
    let outgoing = std::mem::take(&mut world.resource_mut::<Outbox>().0);
    for event in outgoing {
        event.send(world);
    }
    trim_history(world);
}
