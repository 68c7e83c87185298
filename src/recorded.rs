//! Inputs that a plugin of the game gets from outside, and that a replay gives it again.
//!
//! The engine records what it does itself. A plugin whose state decides what characters may do, or what a bound fact says, records
//! what changes that state: `app.add_recorded::<RingBell>("bells.ring")` once, then `commands.record(RingBell { times: 3 })`.

use bevy::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::{TypeId, type_name};

/// An input that a plugin of the game gets from outside: the press of a button, the result of a roll of dice, the answer of a
/// server.
///
/// A journal records it as JSON, and a replay applies it again at the same place. What it changes in the judged world is recorded too.
/// A save keeps no state of the plugin by itself: keep what it changes as a setting, with
/// [`add_setting`](crate::prelude::DramatisAppExt::add_setting). It must not ask a character to speak: send the request separately, the engine records it.
pub trait RecordedInput: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Takes effect in the game. It depends only on itself and the world: no clock, no own random numbers.
    fn apply(self, world: &mut World);
}

#[derive(Clone, Copy)]
struct KnownInput {
    name: &'static str,
    of: TypeId,
    apply: fn(&mut World, Value) -> serde_json::Result<()>,
}

/// The inputs that plugins of the game have added.
#[derive(Resource, Default, Clone)]
pub(crate) struct RecordedInputs(Vec<KnownInput>);

impl RecordedInputs {
    /// Applies what a record says; `None` where no plugin has added that name.
    pub(crate) fn apply(
        &self,
        world: &mut World,
        name: &str,
        asked: Value,
    ) -> Option<serde_json::Result<()>> {
        let known = self.0.iter().find(|known| known.name == name)?;
        Some((known.apply)(world, asked))
    }
}

/// Tells a plugin of the game something under the name that it has added, and lets the journal record it. `None`: no plugin has added the name.
pub(crate) fn record_named(
    world: &mut World,
    name: &str,
    asked: Value,
) -> Option<serde_json::Result<()>> {
    let inputs = world.get_resource_or_init::<RecordedInputs>().clone();
    let known = *inputs.0.iter().find(|known| known.name == name)?;
    let mut log = world.get_resource_mut::<InputLog>();
    let at = log.as_mut().map(|log| {
        log.0.push((known.name, asked.clone()));
        log.0.len() - 1
    });
    let applied = (known.apply)(world, asked);
    if let (Err(_), Some(at), Some(mut log)) = (&applied, at, world.get_resource_mut::<InputLog>())
    {
        // Nothing was told.
        log.0.truncate(at);
    }
    Some(applied)
}

/// In a replay: external inputs come from the recording, and nothing that follows from a result is made again.
#[derive(Resource)]
pub(crate) struct InputsAreFed;

/// Inputs since the journal looked last, each with its name. It is there while a journal is kept.
#[derive(Resource, Default)]
pub(crate) struct InputLog(pub Vec<(&'static str, Value)>);

/// Adds an input. The first one of a name counts.
pub(crate) fn add<R: RecordedInput>(app: &mut App, name: &'static str) {
    let mut inputs = app.world_mut().get_resource_or_init::<RecordedInputs>();
    let of = TypeId::of::<R>();
    if inputs
        .0
        .iter()
        .any(|known| known.name == name || known.of == of)
    {
        log::warn!(
            "\"{name}\" or its type is recorded already: this one is not. Add each type once, under a name of its own"
        );
        return;
    }
    inputs.0.push(KnownInput {
        name,
        of,
        apply: |world, asked| {
            serde_json::from_value::<R>(asked)?.apply(world);
            Ok(())
        },
    });
}

/// Commands that record what they do.
pub trait RecordCommandsExt {
    /// Applies an input, and lets the journal record it where one is kept. A type that no plugin has added with
    /// [`add_recorded`](crate::prelude::DramatisAppExt::add_recorded) is applied without a record, and the log says so. In a replay
    /// nothing happens: the recording says what happened.
    fn record<R: RecordedInput>(&mut self, input: R);
}

impl RecordCommandsExt for Commands<'_, '_> {
    fn record<R: RecordedInput>(&mut self, input: R) {
        self.queue(move |world: &mut World| record(world, input));
    }
}

fn record<R: RecordedInput>(world: &mut World, input: R) {
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    let inputs = world.get_resource::<RecordedInputs>();
    let of = TypeId::of::<R>();
    let known = inputs.and_then(|inputs| inputs.0.iter().find(|known| known.of == of));
    let name = known.map(|known| known.name);
    if let Some(mut log) = world.get_resource_mut::<InputLog>() {
        match (name, serde_json::to_value(&input)) {
            (Some(name), Ok(asked)) => log.0.push((name, asked)),
            (None, _) => log::error!(
                "{} is not recorded: add it with App::add_recorded",
                type_name::<R>()
            ),
            (_, Err(error)) => log::error!("{} is not recorded: {error}", type_name::<R>()),
        }
    }
    input.apply(world);
}
