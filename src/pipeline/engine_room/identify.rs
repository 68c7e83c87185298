//! Keeps the state of the engines up to date: the model that answers may change while a game runs.

use crate::engine::{DefaultEngine, Engines};
use crate::events::ModelChanged;
use crate::outbox::Outbox;
use crate::recorded::InputsAreFed;
use bevy::prelude::*;

/// Asks every engine who it is now, and reports the changes.
pub(crate) fn identify_engines(world: &mut World) {
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let mut changed = Vec::new();
    if let Some(mut default) = world.get_resource_mut::<DefaultEngine>() {
        let now = default.engine.identity();
        if now != default.identity {
            let before = std::mem::replace(&mut default.identity, now.clone());
            changed.push((String::new(), before, now));
        }
    }
    if let Some(mut engines) = world.get_resource_mut::<Engines>() {
        changed.extend(engines.bypass_change_detection().identify());
    }
    for (name, before, now) in changed {
        log::info!("the model is now {} of {}", now.model, now.provider);
        let engine = Some(name).filter(|name| !name.is_empty());
        world
            .get_resource_or_init::<Outbox>()
            .tell_all(ModelChanged {
                engine,
                before,
                now,
            });
    }
}
