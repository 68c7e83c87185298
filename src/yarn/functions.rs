//! The functions that Yarn files can call: they read, and change nothing.
//!
//! Yarn Spinner has taken the dialogue out of its runner while it calls a function: nothing here looks at a runner.

use super::talk::{character, speaker};
use super::variables::escape;
use crate::memory::{Mind, RelationshipPart};
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use bevy_yarnspinner::prelude::{
    DialogueRunner, IntoYarnValueFromNonYarnValue, YarnFn, YarnLibrary, YarnValue,
};
use std::any::TypeId;

/// A function of texts that reads the world of the game.
#[derive(Clone, Copy)]
struct Reads<O> {
    runner: Entity,
    /// How many texts it takes.
    words: usize,
    read: fn(&mut World, Entity, &[String]) -> O,
}

impl<O> YarnFn<()> for Reads<O>
where
    O: IntoYarnValueFromNonYarnValue + Clone + Default + 'static,
{
    type Out = O;

    /// Without a world there is nothing to read. Yarn Spinner for Bevy always has one.
    fn call(&self, _: Vec<YarnValue>) -> O {
        O::default()
    }

    fn call_with_world(&self, input: Vec<YarnValue>, world: &mut World) -> O {
        let words: Vec<String> = input.iter().map(String::from).collect();
        (self.read)(world, self.runner, &words)
    }

    fn parameter_types(&self) -> Vec<TypeId> {
        vec![TypeId::of::<String>(); self.words]
    }
}

/// Gives a runner the functions. A function of the game with one of their names stays.
pub(super) fn add_functions(runner: &mut DialogueRunner, entity: Entity) {
    let library = runner.library_mut();
    add(library, "flag", entity, 1, flag);
    add(library, "fact", entity, 1, fact);
    add(library, "standing", entity, 2, standing);
    add(library, "believes", entity, 2, believes);
}

fn add<O>(
    library: &mut YarnLibrary,
    name: &'static str,
    runner: Entity,
    words: usize,
    read: fn(&mut World, Entity, &[String]) -> O,
) where
    O: IntoYarnValueFromNonYarnValue + Clone + Default + 'static,
{
    if library.contains_function(name) {
        log::debug!("the game's own function {name} stays in a Yarn dialogue");
        return;
    }
    let function = Reads {
        runner,
        words,
        read,
    };
    library.add_function::<(), _>(name, function);
}

/// Whether a flag of the judged world is set.
fn flag(world: &mut World, _: Entity, words: &[String]) -> bool {
    let [name] = words else { return false };
    WorldView::new(world).flag(name)
}

/// A world fact as text; empty where there is none.
fn fact(world: &mut World, _: Entity, words: &[String]) -> String {
    let [key] = words else { return String::new() };
    let fact = WorldView::new(world).fact(key);
    fact.map(|fact| escape(&fact.to_string()))
        .unwrap_or_default()
}

/// What a character thinks of the speaker.
fn standing(world: &mut World, runner: Entity, words: &[String]) -> f64 {
    let [npc, part] = words else { return 0.0 };
    let named = match part.as_str() {
        "affinity" => RelationshipPart::Affinity,
        "trust" => RelationshipPart::Trust,
        "familiarity" => RelationshipPart::Familiarity,
        _ => {
            log::error!(
                "standing(\"{npc}\", \"{part}\") in a Yarn file: the second text is affinity, trust or familiarity"
            );
            return 0.0;
        }
    };
    if is_unknown(world, "standing", npc) {
        return 0.0;
    }
    match speaker(world, runner) {
        Ok(speaker) => {
            let view = WorldView::new(world);
            view.relationship(npc, &speaker.id).part(named).to_f64()
        }
        Err(why) => {
            log::error!("standing(\"{npc}\", \"{part}\") in a Yarn file: {why}");
            0.0
        }
    }
}

/// What a character believes under an id; empty where it has no such belief.
fn believes(world: &mut World, _: Entity, words: &[String]) -> String {
    let [npc, key] = words else {
        return String::new();
    };
    if is_unknown(world, "believes", npc) {
        return String::new();
    }
    let mind = character(world, npc).and_then(|npc| world.get::<Mind>(npc));
    let belief = mind.and_then(|mind| mind.beliefs.get(key));
    belief
        .map(|belief| escape(&belief.text))
        .unwrap_or_default()
}

/// Whether no character has this id, which is logged.
fn is_unknown(world: &World, function: &str, npc: &str) -> bool {
    let is_unknown = character(world, npc).is_none();
    if is_unknown {
        log::error!(
            "{function}(\"{npc}\", ..) in a Yarn file: no character in the game has this id, or its file is not loaded"
        );
    }
    is_unknown
}
