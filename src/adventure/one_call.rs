//! Single calls of a narrator outside of turns: their answers, once they have come.

use crate::pipeline::{Outcome, Run};
use bevy::prelude::*;

/// On an entity that belongs to one call, and waits for it.
pub(super) trait OneCall: Component {
    /// The run of the call; `None` when it could not be made.
    fn run(&self) -> Option<Entity>;
}

/// Takes what has waited for calls that are over, each with what was answered; `None` where no reply would do.
pub(super) fn take_answered<C: OneCall>(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &C)>,
) -> Vec<(C, Option<String>)> {
    let over: Vec<Entity> = waiting
        .iter(world)
        .filter(|(_, one)| {
            let live = one.run().filter(|run| world.get::<Run>(*run).is_some());
            live.is_none_or(|run| world.get::<Outcome>(run).is_some())
        })
        .map(|(entity, _)| entity)
        .collect();
    let mut answered = Vec::new();
    for entity in over {
        let Some(one) = world.entity_mut(entity).take::<C>() else {
            continue;
        };
        let answer = match one.run().and_then(|run| world.get::<Outcome>(run)) {
            Some(Outcome::Accepted { line }) => Some(line.clone()),
            _ => None,
        };
        world.despawn(entity);
        answered.push((one, answer));
    }
    answered
}
