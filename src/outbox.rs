//! Events on their way to the game: gathered while the pipeline works, sent when its pass is over.

use crate::events::{
    AdventureTurnEnded, Applied, AsideAnswered, AttemptFailed, AuthoringFailed, BreakerChanged,
    CallPostponed, CallRefused, ClarificationNeeded, DramatisReady, DuplicateCharacter,
    EngineStatusChanged, GameLoaded, ModelChanged, Narrated, NotRemembered, PlanDecided, PlanEnded,
    PlanProposed, PlanQuestion, Remembered, RequestRefused, RunEnded, RunStarted, Spoke,
    SpokeSentence, StepDone, ThinkingLine, ToolCalled, TurnEnded, TurnTold,
};
use crate::world::{Intent, NpcAction, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// An event on its way to the game.
#[derive(Debug, Clone)]
pub(crate) enum Outgoing {
    RunStarted(RunStarted),
    AttemptFailed(AttemptFailed),
    ThinkingLine(ThinkingLine),
    Spoke(Spoke),
    SpokeSentence(SpokeSentence),
    CallPostponed(CallPostponed),
    CallRefused(CallRefused),
    BreakerChanged(BreakerChanged),
    EngineStatusChanged(EngineStatusChanged),
    Remembered(Remembered),
    NotRemembered(NotRemembered),
    RequestRefused(RequestRefused),
    RunEnded(RunEnded),
    DuplicateCharacter(DuplicateCharacter),
    Applied(AppliedAction),
    ClarificationNeeded(ClarificationNeeded),
    TurnEnded(TurnEnded),
    Narrated(Narrated),
    AdventureTurnEnded(AdventureTurnEnded),
    TurnTold(TurnTold),
    AsideAnswered(AsideAnswered),
    ToolCalled(ToolCalled),
    ModelChanged(ModelChanged),
    PlanDecided(PlanDecided),
    PlanEnded(PlanEnded),
    PlanProposed(PlanProposed),
    PlanQuestion(PlanQuestion),
    StepDone(StepDone),
}

impl Outgoing {
    fn send(self, world: &mut World) {
        match self {
            Self::RunStarted(event) => send(world, event),
            Self::AttemptFailed(event) => send(world, event),
            Self::ThinkingLine(event) => send(world, event),
            Self::Spoke(event) => send(world, event),
            Self::SpokeSentence(event) => send(world, event),
            Self::CallPostponed(event) => send(world, event),
            Self::CallRefused(event) => send(world, event),
            Self::EngineStatusChanged(event) => {
                world.trigger(event.clone());
                world.write_message(event);
            }
            Self::BreakerChanged(event) => {
                world.trigger(event.clone());
                world.write_message(event);
            }
            Self::Remembered(event) => send(world, event),
            Self::NotRemembered(event) => send(world, event),
            Self::RequestRefused(event) => send(world, event),
            Self::RunEnded(event) => send(world, event),
            Self::DuplicateCharacter(event) => send(world, event),
            Self::Applied(action) => action.send(world),
            Self::ClarificationNeeded(event) => send(world, event),
            Self::TurnEnded(event) => send(world, event),
            Self::Narrated(event) => send(world, event),
            Self::AdventureTurnEnded(event) => send(world, event),
            Self::TurnTold(event) => send(world, event),
            Self::AsideAnswered(event) => {
                world.trigger(event.clone());
                world.write_message(event);
            }
            Self::PlanDecided(event) => send(world, event),
            Self::PlanEnded(event) => send(world, event),
            Self::PlanProposed(event) => send(world, event),
            Self::PlanQuestion(event) => send(world, event),
            Self::StepDone(event) => send(world, event),
            Self::ModelChanged(event) => {
                world.trigger(event.clone());
                world.write_message(event);
            }
            Self::ToolCalled(event) => {
                world.trigger(event.clone());
                world.write_message(event);
            }
        }
    }
}

/// Sends an event to observers, if its target lives, and as a message.
fn send<E>(world: &mut World, event: E)
where
    E: EntityEvent + Message + Clone,
    for<'a> E::Trigger<'a>: Default,
{
    if world.get_entity(event.event_target()).is_ok() {
        world.trigger(event.clone());
    }
    world.write_message(event);
}

/// An action that was done, before it becomes an event of its type.
#[derive(Debug, Clone)]
pub(crate) struct AppliedAction {
    /// Who acted, where it has an entity.
    pub actor: Option<Entity>,
    /// The run, of a character's reply.
    pub run: Option<Entity>,
    /// The turn, of an actor's own.
    pub turn: Option<u64>,
    /// What was done.
    pub intent: Intent,
}

impl AppliedAction {
    fn send(self, world: &mut World) {
        if let Some(mut done) = world.get_resource_mut::<DoneActions>()
            && done.0.len() < MAX_DONE
        {
            done.0.push(self.intent.clone());
        }
        let senders = world.get_resource::<ActionSenders>();
        let sender = senders.and_then(|senders| senders.0.get(self.intent.kind()));
        match sender.copied() {
            Some(send) => send(world, self),
            None => log::error!("nobody registered the action \"{}\"", self.intent.kind()),
        }
    }
}

/// How many actions of a frame triggers look at.
const MAX_DONE: usize = 1_024;

/// What was done since triggers looked last.
#[derive(Resource, Debug, Default)]
pub(crate) struct DoneActions(pub Vec<Intent>);

type SendApplied = fn(&mut World, AppliedAction);

/// How the actions of each type become typed events.
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
    let actor = applied.actor;
    let event = Applied {
        entity: actor.filter(|actor| world.get_entity(*actor).is_ok()),
        actor: applied.intent.actor().to_owned(),
        run: applied.run,
        turn: applied.turn,
        target,
        action,
    };
    send(world, event);
}

/// Registers the messages.
pub(crate) fn register_messages(app: &mut App) {
    app.add_message::<RunStarted>()
        .add_message::<AttemptFailed>()
        .add_message::<ThinkingLine>()
        .add_message::<Spoke>()
        .add_message::<SpokeSentence>()
        .add_message::<CallPostponed>()
        .add_message::<CallRefused>()
        .add_message::<BreakerChanged>()
        .add_message::<EngineStatusChanged>()
        .add_message::<Remembered>()
        .add_message::<NotRemembered>()
        .add_message::<RequestRefused>()
        .add_message::<RunEnded>()
        .add_message::<DuplicateCharacter>()
        .add_message::<ClarificationNeeded>()
        .add_message::<TurnEnded>()
        .add_message::<Narrated>()
        .add_message::<TurnTold>()
        .add_message::<AsideAnswered>()
        .add_message::<ToolCalled>()
        .add_message::<ModelChanged>()
        .add_message::<PlanDecided>()
        .add_message::<PlanEnded>()
        .add_message::<PlanProposed>()
        .add_message::<PlanQuestion>()
        .add_message::<StepDone>()
        .add_message::<AdventureTurnEnded>()
        .add_message::<AuthoringFailed>()
        .add_message::<DramatisReady>()
        .add_message::<GameLoaded>();
}

/// Events that wait for the end of the pipeline's pass.
#[derive(Resource, Debug, Default)]
pub(crate) struct Outbox {
    waiting: Vec<Outgoing>,
    /// Counts the games: it goes up when another game takes the place of the one that the events are about.
    game: u64,
}

impl Outbox {
    pub(crate) fn push(&mut self, event: Outgoing) {
        self.waiting.push(event);
    }

    pub(crate) fn extend(&mut self, events: impl IntoIterator<Item = Outgoing>) {
        self.waiting.extend(events);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops what has gathered, and what is being sent: another game has taken the place of the one that it is about.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
        self.game += 1;
    }
}

/// Sends what has gathered, in order.
pub(crate) fn send_outgoing(world: &mut World) {
    let mut outbox = world.resource_mut::<Outbox>();
    let (mut outgoing, game) = (std::mem::take(&mut outbox.waiting), outbox.game);
    for event in outgoing.drain(..) {
        event.send(world);
        // An observer may have loaded another game.
        world.flush();
        if world.get_resource::<Outbox>().map(|outbox| outbox.game) != Some(game) {
            break;
        }
    }
    // Its room is used again.
    if let Some(mut outbox) = world.get_resource_mut::<Outbox>()
        && outbox.waiting.is_empty()
        && outgoing.capacity() <= MOST_KEPT
    {
        outbox.waiting = outgoing;
    }
}

/// Room for more events than this is not kept.
const MOST_KEPT: usize = 1_024;
