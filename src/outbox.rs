//! Events on their way to the game: gathered while the pipeline works, sent when its pass is over.
//!
//! An event is a struct of the room whose subject it is; the outbox knows none of them.

use bevy::prelude::*;
use std::any::{Any, TypeId};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;

/// What the outbox sends.
pub(crate) trait Dispatch: Debug + Send + Sync + 'static {
    fn dispatch(self, world: &mut World);
}

/// An event for observers of its entity, and of all. One whose entity is gone is dropped.
#[derive(Debug)]
struct ToEntity<E>(E);

/// An event for observers of all.
#[derive(Debug)]
struct ToAll<E>(E);

/// An event for observers of all, about an entity that may be gone.
#[derive(Debug)]
struct About<E>(E);

impl<E> Dispatch for ToEntity<E>
where
    E: EntityEvent + Debug,
    for<'a> E::Trigger<'a>: Default,
{
    fn dispatch(self, world: &mut World) {
        if world.get_entity(self.0.event_target()).is_ok() {
            send(world, self.0);
        }
    }
}

impl<E> Dispatch for ToAll<E>
where
    E: Event + Debug,
    for<'a> E::Trigger<'a>: Default,
{
    fn dispatch(self, world: &mut World) {
        send(world, self.0);
    }
}

impl<E> Dispatch for About<E>
where
    E: AboutEntity + Debug,
    for<'a> E::Trigger<'a>: Default,
{
    fn dispatch(mut self, world: &mut World) {
        let entity = self.0.entity_mut();
        *entity = entity.filter(|entity| world.get_entity(*entity).is_ok());
        send(world, self.0);
    }
}

/// An event about an entity that may be gone: then its `entity` is `None`.
pub(crate) trait AboutEntity: Event {
    fn entity_mut(&mut self) -> &mut Option<Entity>;
}

macro_rules! about_entity {
    ($($event:ident $(<$action:ident>)?),*) => {
        $(
            impl $(<$action: $crate::world::NpcAction>)? $crate::outbox::AboutEntity for $event $(<$action>)? {
                fn entity_mut(&mut self) -> &mut Option<Entity> {
                    &mut self.entity
                }
            }
        )*
    };
}
pub(crate) use about_entity;

/// Sends an event to observers at once.
pub(crate) fn send<E>(world: &mut World, mut event: E)
where
    E: Event,
    for<'a> E::Trigger<'a>: Default,
{
    world.trigger_ref(&mut event);
    if let Some(mut sent) = world.get_resource_mut::<SentEvents>() {
        sent.0.push(Box::new(event));
    }
}

/// Every event that was sent, in order, for tests. Nothing is kept where the resource is absent.
#[derive(Resource, Default)]
pub(crate) struct SentEvents(pub Vec<Box<dyn Any + Send + Sync>>);

/// Events of one type that came and were not taken yet, for a program that looks after each frame.
#[derive(Resource)]
struct Collected<E>(Vec<E>);

/// Keeps the events of a type until [`take_collected`] takes them.
pub(crate) fn collect<E: Event + Clone>(app: &mut App)
where
    for<'a> E::Trigger<'a>: Send + Sync,
{
    if app.world().contains_resource::<Collected<E>>() {
        return;
    }
    app.insert_resource(Collected::<E>(Vec::new()));
    app.add_observer(|event: On<E>, mut collected: ResMut<Collected<E>>| {
        collected.0.push(event.event().clone());
    });
}

/// The events of a type that came since this was last called.
pub(crate) fn take_collected<E: Event>(world: &mut World) -> Vec<E> {
    let collected = world.get_resource_mut::<Collected<E>>();
    collected.map_or_else(Vec::new, |mut collected| std::mem::take(&mut collected.0))
}

/// Events that wait for the end of the pipeline's pass. A plugin of the game can put its own among them: they leave with the results of the
/// pass, in order.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::events::Outbox;
/// #[derive(Event, Debug)]
/// struct NightFell;
/// fn nightfall(mut outbox: ResMut<Outbox>) {
///     outbox.tell_all(NightFell);
/// }
/// # App::new().add_systems(Update, nightfall);
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
    /// Sends an event to the observers of its entity, and to those that watch no entity. If the entity is gone by then, the
    /// event is dropped.
    pub fn tell<E>(&mut self, event: E)
    where
        E: EntityEvent + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        self.queue(ToEntity(event));
    }

    /// Sends an event to its observers. For an entity event use [`tell`](Self::tell).
    pub fn tell_all<E>(&mut self, event: E)
    where
        E: Event + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        self.queue(ToAll(event));
    }

    /// Sends an event about an entity that may be gone by then.
    pub(crate) fn tell_about<E>(&mut self, event: E)
    where
        E: AboutEntity + Debug,
        for<'a> E::Trigger<'a>: Default,
    {
        self.queue(About(event));
    }

    pub(crate) fn queue<D: Dispatch>(&mut self, what: D) {
        if let Some(waiting) = self.waiting::<D>() {
            waiting.push_back(what);
            self.order.push(send_next::<D>);
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
