//! Actions that were done, on their way to the game as typed events.

use crate::base::ids::Id;
use crate::npc::CouldNot;
use crate::outbox::{Dispatch, send};
use crate::world::{Intent, NpcAction, ProposedAction, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// An action was done: one from a character's reply, or one of an actor's own turn. `A` is the action's type, such as
/// [`Open`](crate::judged_world::action::actions::Open).
///
/// It is sent when all changes of its turn or run are in place. Lifecycle observers (`On<Insert, PlacedIn>` and the like) see
/// each change by itself, before the other changes of the turn: do not base decisions on them.
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
#[derive(Event, Debug, Clone)]
#[non_exhaustive]
pub struct Applied<A: NpcAction> {
    /// The actor; `None` when it has no entity (any more).
    pub entity: Option<Entity>,
    /// The id of who acted.
    pub actor: Id,
    /// The run that it belongs to; `None` for an actor's own turn.
    pub run: Option<Entity>,
    /// The number of the turn that it belongs to; `None` for a character's reply.
    pub turn: Option<u64>,
    /// The entity of the action's target; `None` when the action has no target, or the target has no living entity.
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

/// An action that was done, before it becomes an event of its type.
#[derive(Debug, Clone)]
pub(crate) struct AppliedAction {
    /// The actor, where it has an entity.
    pub actor: Option<Entity>,
    /// The run, of a character's reply.
    pub run: Option<Entity>,
    /// The turn, of an actor's own.
    pub turn: Option<u64>,
    /// The action that was done.
    pub intent: Intent,
}

impl Dispatch for AppliedAction {
    fn dispatch(self, world: &mut World) {
        if let Some(mut done) = world.get_resource_mut::<DoneActions>()
            && done.0.len() < MAX_DONE
        {
            done.0.push(self.intent.clone());
        }
        let senders = world.get_resource::<ActionSenders>();
        let sender = senders.and_then(|senders| senders.0.get(self.intent.kind()));
        match sender.copied() {
            Some(send) => send(world, self),
            None => log::error!(
                "no plugin has registered the action \"{}\"",
                self.intent.kind()
            ),
        }
    }
}

/// How many actions of a frame triggers look at.
const MAX_DONE: usize = 1_024;

/// The actions since triggers looked last.
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
    let target = applied
        .intent
        .target()
        .and_then(|id| WorldIndex::find(world, id));
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
