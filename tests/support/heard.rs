//! Events that came in a game that is no `TestGame`.

use bevy::prelude::*;

#[derive(Resource)]
struct Heard<E>(Vec<E>);

/// Keeps the events of a type from now on.
pub fn listen<E: Event + Clone>(world: &mut World)
where
    for<'a> E::Trigger<'a>: Send + Sync,
{
    if !world.contains_resource::<Heard<E>>() {
        world.insert_resource(Heard::<E>(Vec::new()));
        world.add_observer(|event: On<E>, mut heard: ResMut<Heard<E>>| {
            heard.0.push(event.event().clone());
        });
    }
}

/// The events of a type that came since [`listen`], or since they were last taken.
pub fn take_heard<E: Event>(world: &mut World) -> Vec<E> {
    std::mem::take(&mut world.resource_mut::<Heard<E>>().0)
}
