//! Events on their way to the game: gathered while the pipeline works, sent when its pass is over.
//!
//! An event is a struct of the room whose subject it is. Its plugin adds it with Bevy's `add_message`; the outbox knows none of them.

use bevy::prelude::*;
use std::any::{Any, TypeId};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;

/// What the outbox sends.
pub(crate) trait Dispatch: Debug + Send + Sync + 'static {
    fn dispatch(self, world: &mut World);
}

/// An event for observers of its target, if that lives, and as a message.
#[derive(Debug)]
struct ToTarget<E>(E);

/// An event for observers of all, and as a message.
#[derive(Debug)]
struct ToAll<E>(E);

impl<E> Dispatch for ToTarget<E>
where
    E: EntityEvent + Message + Clone + Debug,
    for<'a> E::Trigger<'a>: Default,
{
    fn dispatch(self, world: &mut World) {
        send(world, self.0);
    }
}

impl<E> Dispatch for ToAll<E>
where
    E: Event + Message + Clone + Debug,
    for<'a> E::Trigger<'a>: Default,
{
    fn dispatch(self, world: &mut World) {
        let Self(mut event) = self;
        world.trigger_ref(&mut event);
        write(world, event);
    }
}

/// Something for the outbox, on its own until then.
#[derive(Debug)]
pub(crate) struct Outgoing(Box<dyn Enqueue>);

impl Outgoing {
    pub(crate) fn new(what: impl Dispatch) -> Self {
        Self(Box::new(what))
    }

    pub(crate) fn to_target<E>(event: E) -> Self
    where
        E: EntityEvent + Message + Clone + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        Self::new(ToTarget(event))
    }

    pub(crate) fn to_all<E>(event: E) -> Self
    where
        E: Event + Message + Clone + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        Self::new(ToAll(event))
    }
}

trait Enqueue: Debug + Send + Sync {
    fn enqueue(self: Box<Self>, outbox: &mut Outbox);
}

impl<D: Dispatch> Enqueue for D {
    fn enqueue(self: Box<Self>, outbox: &mut Outbox) {
        outbox.queue(*self);
    }
}

/// Sends an event to observers, if its target lives, and as a message.
pub(crate) fn send<E>(world: &mut World, mut event: E)
where
    E: EntityEvent + Message + Clone,
    for<'a> E::Trigger<'a>: Default,
{
    if world.get_entity(event.event_target()).is_ok() {
        world.trigger_ref(&mut event);
    }
    write(world, event);
}

fn write<E: Message + Clone>(world: &mut World, event: E) {
    if let Some(mut sent) = world.get_resource_mut::<SentEvents>() {
        sent.0.push(Box::new(event.clone()));
    }
    world.write_message(event);
}

/// Every event that was sent, in order, for tests. Nothing is kept where the resource is absent.
#[derive(Resource, Default)]
pub(crate) struct SentEvents(pub Vec<Box<dyn Any + Send + Sync>>);

macro_rules! optional_target {
    ($($event:ident $(<$action:ident>)?),*) => {
        $(
            impl $(<$action: $crate::world::NpcAction>)? Event for $event $(<$action>)? {
                type Trigger<'a> = bevy::ecs::event::EntityTrigger;
            }

            impl $(<$action: $crate::world::NpcAction>)? EntityEvent for $event $(<$action>)? {
                /// The entity, or [`Entity::PLACEHOLDER`] where there is none: such an event is sent as a message alone.
                fn event_target(&self) -> Entity {
                    self.entity.unwrap_or(Entity::PLACEHOLDER)
                }
            }
        )*
    };
}
pub(crate) use optional_target;

/// Events that wait for the end of the pipeline's pass. A plugin of the game can put its own among them: they leave with the results of the
/// pass, in order.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::events::Outbox;
/// #[derive(Event, Message, Clone, Debug)]
/// struct NightFell;
/// fn nightfall(mut outbox: ResMut<Outbox>) {
///     outbox.tell_all(NightFell);
/// }
/// # App::new().add_message::<NightFell>().add_systems(Update, nightfall);
/// ```
#[derive(Resource, Debug, Default)]
pub struct Outbox {
    /// How the next one of each is sent, in order.
    order: Vec<fn(&mut World)>,
    /// What waits, by its type: the room of a queue is used again.
    queues: BTreeMap<TypeId, Box<dyn Queue>>,
    /// Counts the games: it goes up when another game takes the place of the one that the events are about.
    game: u64,
}

/// What waits of one type.
trait Queue: Any + Debug + Send + Sync {
    fn clear(&mut self);
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<D: Dispatch> Queue for VecDeque<D> {
    fn clear(&mut self) {
        Self::clear(self);
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Outbox {
    /// Sends an event to observers of its target, if that lives by then, and as a message. The plugin that sends it has added the message
    /// (`App::add_message`).
    pub fn tell<E>(&mut self, event: E)
    where
        E: EntityEvent + Message + Clone + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        self.queue(ToTarget(event));
    }

    /// Sends an event to observers that watch no entity, and as a message.
    pub fn tell_all<E>(&mut self, event: E)
    where
        E: Event + Message + Clone + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        self.queue(ToAll(event));
    }

    pub(crate) fn queue<D: Dispatch>(&mut self, what: D) {
        if let Some(waiting) = self.waiting::<D>() {
            waiting.push_back(what);
            self.order.push(send_next::<D>);
        }
    }

    pub(crate) fn extend(&mut self, events: impl IntoIterator<Item = Outgoing>) {
        for Outgoing(event) in events {
            event.enqueue(self);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Drops what has gathered, and what is being sent: another game has taken the place of the one that it is about.
    pub(crate) fn forget(&mut self) {
        self.order.clear();
        self.queues.values_mut().for_each(|queue| queue.clear());
        self.game += 1;
    }

    /// What waits of this type; it is always there.
    fn waiting<D: Dispatch>(&mut self) -> Option<&mut VecDeque<D>> {
        let queue = self
            .queues
            .entry(TypeId::of::<D>())
            .or_insert_with(|| Box::new(VecDeque::<D>::new()));
        queue.as_any().downcast_mut()
    }
}

fn send_next<D: Dispatch>(world: &mut World) {
    let mut outbox = world.get_resource_mut::<Outbox>();
    let next = outbox
        .as_mut()
        .and_then(|outbox| outbox.waiting::<D>()?.pop_front());
    if let Some(next) = next {
        next.dispatch(world);
    }
}

/// Sends what has gathered, in order.
pub(crate) fn send_outgoing(world: &mut World) {
    let mut outbox = world.resource_mut::<Outbox>();
    let (mut order, game) = (std::mem::take(&mut outbox.order), outbox.game);
    for send_next in order.drain(..) {
        send_next(world);
        // An observer may have loaded another game.
        world.flush();
        if world.get_resource::<Outbox>().map(|outbox| outbox.game) != Some(game) {
            break;
        }
    }
    // Its room is used again.
    if let Some(mut outbox) = world.get_resource_mut::<Outbox>()
        && outbox.order.is_empty()
        && order.capacity() <= MOST_KEPT
    {
        outbox.order = order;
    }
}

/// Room for more events than this is not kept.
const MOST_KEPT: usize = 1_024;
