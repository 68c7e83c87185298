//! What a game was told, as plain values that a test can compare: no entities, no time.

use crate::events::{
    Applied, AttemptFailed, ClarificationNeeded, NotRemembered, Remembered, RequestRefused,
    RunEnded, RunStarted, Spoke, SpokeSentence, ThinkingLine, TurnEnded,
};
use crate::gate::MemoryChange;
use crate::judged_world::action::actions::{
    Close, Describe, Give, Introduce, MoveTo, Open, PutDown, Speak, Take, Use,
};
use crate::npc::RequestError;
use crate::pipeline::{AttemptError, Outcome};
use crate::world::{Clarification, NpcAction, TurnRecord};
use bevy::prelude::*;
use std::sync::Arc;

/// An event of [`crate::events`] that reached the game. Each variant is named after the event.
#[derive(Debug, Clone, PartialEq)]
pub enum GameEvent {
    /// A request became a run.
    RunStarted,
    /// An attempt failed: no reply came, or the gate refused it.
    AttemptFailed {
        /// Which attempt of the run, counted from 0.
        attempt: u32,
        /// Why there was no reply. `None` when a reply came and the gate refused it.
        error: Option<AttemptError>,
        /// The ids of the rules that the reply broke, in the gate's order. Empty when there was no reply.
        rules: Vec<String>,
    },
    /// The character made a sound while it was thinking: the authored line.
    ThinkingLine(String),
    /// A sentence of the character was heard while its reply was coming.
    SpokeSentence(String),
    /// The character spoke a line.
    Spoke(SpokenLine),
    /// An action was approved and done.
    Applied {
        /// The action's name, such as `open`.
        action: &'static str,
        /// Its fields, as serde writes them. [`TestGame::take_actions`](super::TestGame::take_actions) reads them.
        fields: serde_json::Value,
    },
    /// What the character remembers has changed, as a reply proposed.
    Remembered(MemoryChange),
    /// A change of memory in an accepted reply was not made: why.
    NotRemembered(String),
    /// A request started no run, or no turn.
    RequestRefused(RequestError),
    /// A run has ended, with this outcome.
    RunEnded(Outcome),
    /// The words of a turn may mean several things, or nothing.
    ClarificationNeeded(Clarification),
    /// An actor's turn was taken: all that is kept of it.
    TurnEnded(Arc<TurnRecord>),
}

impl GameEvent {
    /// The name of the event's type, such as `Spoke`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RunStarted => "RunStarted",
            Self::AttemptFailed { .. } => "AttemptFailed",
            Self::ThinkingLine(_) => "ThinkingLine",
            Self::SpokeSentence(_) => "SpokeSentence",
            Self::Spoke(_) => "Spoke",
            Self::Applied { .. } => "Applied",
            Self::Remembered(_) => "Remembered",
            Self::NotRemembered(_) => "NotRemembered",
            Self::RequestRefused(_) => "RequestRefused",
            Self::RunEnded(_) => "RunEnded",
            Self::ClarificationNeeded(_) => "ClarificationNeeded",
            Self::TurnEnded(_) => "TurnEnded",
        }
    }
}

/// A line that a character spoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpokenLine {
    /// Out of a reply that the gate accepted.
    Reply(String),
    /// An authored line, spoken because no reply was accepted.
    Fallback(String),
}

impl SpokenLine {
    /// A line out of an accepted reply, to compare with.
    pub fn reply(line: impl Into<String>) -> Self {
        Self::Reply(line.into())
    }

    /// An authored line, to compare with.
    pub fn fallback(line: impl Into<String>) -> Self {
        Self::Fallback(line.into())
    }

    /// The words alone, wherever they come from.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Reply(line) | Self::Fallback(line) => line,
        }
    }
}

/// Events with the id of the character or actor that each is about, oldest first.
#[derive(Debug, Default)]
pub(super) struct EventLog(Vec<(String, GameEvent)>);

impl EventLog {
    /// Removes the events of which `pick` makes something, and returns what it made of them, in order.
    pub(super) fn take<T>(
        &mut self,
        mut pick: impl FnMut(&str, &GameEvent) -> Option<T>,
    ) -> Vec<T> {
        let mut taken = Vec::new();
        self.0.retain(|(about, event)| {
            let picked = pick(about, event);
            let keep = picked.is_none();
            taken.extend(picked);
            keep
        });
        taken
    }
}

/// What observers were told, in order.
#[derive(Resource, Debug, Default)]
pub(super) struct ObservedEvents(pub(super) EventLog);

/// An event that is kept in the log.
trait Logged: Event {
    /// The id of the character or actor, and the plain value.
    fn logged(&self) -> (String, GameEvent);
}

macro_rules! logged {
    ($($event:ty: |$e:ident| $about:expr, $plain:expr;)*) => {
        $(impl Logged for $event {
            fn logged(&self) -> (String, GameEvent) {
                let $e = self;
                ($about, $plain)
            }
        })*
    };
}

logged! {
    RunStarted: |e| e.npc.to_string(), GameEvent::RunStarted;
    AttemptFailed: |e| e.npc.to_string(), GameEvent::AttemptFailed {
        attempt: e.attempt,
        error: e.error,
        rules: e.failures.iter().map(|failure| failure.rule.clone()).collect(),
    };
    ThinkingLine: |e| e.npc.to_string(), GameEvent::ThinkingLine(e.line.clone());
    SpokeSentence: |e| e.npc.to_string(), GameEvent::SpokeSentence(e.sentence.clone());
    Spoke: |e| e.npc.to_string(), GameEvent::Spoke(match e.fallback {
        true => SpokenLine::Fallback(e.line.clone()),
        false => SpokenLine::Reply(e.line.clone()),
    });
    NotRemembered: |e| e.npc.to_string(), GameEvent::NotRemembered(e.why.clone());
    Remembered: |e| e.npc.to_string(), GameEvent::Remembered(e.change.clone());
    RequestRefused: |e| e.npc.clone(), GameEvent::RequestRefused(e.error.clone());
    RunEnded: |e| e.npc.to_string(), GameEvent::RunEnded(e.outcome.clone());
    ClarificationNeeded: |e| e.actor.to_string(), GameEvent::ClarificationNeeded(e.clarification.clone());
    TurnEnded: |e| e.actor.to_string(), GameEvent::TurnEnded(e.record.clone());
}

impl<A: NpcAction> Logged for Applied<A> {
    fn logged(&self) -> (String, GameEvent) {
        let fields = serde_json::to_value(&self.action).expect("an action can be written as JSON");
        let action = A::NAME;
        (
            self.actor.to_string(),
            GameEvent::Applied { action, fields },
        )
    }
}

fn listen_to<E: Logged>(app: &mut App)
where
    for<'a> E::Trigger<'a>: Send + Sync,
{
    app.add_observer(|event: On<E>, mut log: ResMut<ObservedEvents>| {
        log.0.0.push(event.logged());
    });
}

/// Keeps [`Applied<A>`] in the log.
pub(super) fn listen_to_action<A: NpcAction>(app: &mut App) {
    listen_to::<Applied<A>>(app);
}

/// Keeps every event of the plugin, and those of the built-in actions, in the log.
pub(super) fn listen(app: &mut App) {
    app.init_resource::<ObservedEvents>();
    listen_to::<RunStarted>(app);
    listen_to::<AttemptFailed>(app);
    listen_to::<ThinkingLine>(app);
    listen_to::<SpokeSentence>(app);
    listen_to::<Spoke>(app);
    listen_to::<Remembered>(app);
    listen_to::<NotRemembered>(app);
    listen_to::<RequestRefused>(app);
    listen_to::<RunEnded>(app);
    listen_to::<ClarificationNeeded>(app);
    listen_to::<TurnEnded>(app);
    listen_to_action::<MoveTo>(app);
    listen_to_action::<Take>(app);
    listen_to_action::<PutDown>(app);
    listen_to_action::<Give>(app);
    listen_to_action::<Open>(app);
    listen_to_action::<Close>(app);
    listen_to_action::<Use>(app);
    listen_to_action::<Speak>(app);
    listen_to_action::<Introduce>(app);
    listen_to_action::<Describe>(app);
}
