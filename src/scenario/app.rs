//! The app in which a scenario is played.

use super::beginning::{NotBegun, put_settings};
use super::load::Scenario;
use super::spec::ScenarioSpec;
use crate::adventure::{Lorebook, Persona, Personas, TurnNarration};
use crate::authoring::Character;
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::base::time::CallTime;
use crate::engine::SharedEngine;
use crate::npc::{LoadedCharacter, PlayerId};
use crate::pipeline::{DialoguePolicy, Overhearing};
use crate::plugin::{DramatisPlugins, EngineSource};
use crate::staging::{ensure_location, install_world};
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, Groups, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The characters that players play. Their ids were checked when the scenario was read.
fn personas(spec: &ScenarioSpec) -> Personas {
    let written = spec
        .personas
        .iter()
        .filter_map(|persona| Some((Id::new(&persona.id).ok()?, Persona::of(persona))));
    Personas(written.collect())
}

/// What a game adds to its app, and what the caller adds to this one.
pub(crate) struct Additions<'a> {
    /// Actions, conditions, rules and checks of the game: also what is replayed of it has them.
    pub of_game: &'a dyn Fn(&mut App),
    /// What this app alone has.
    pub of_caller: &'a dyn Fn(&mut App),
}

/// An app with the plugin and everything that the scenario describes, before its first step. The app is finished: no plugin can be added
/// to it. Sealed characters ask `engine`, too, where it is no script in a file: the caller's code binds it.
///
/// # Errors
/// See [`NotBegun`]; only of a scenario that begins from a recording, or has settings.
pub fn scenario_app(
    scenario: &Scenario,
    engine: impl Into<EngineSource>,
    additions: &Additions<'_>,
) -> Result<App, NotBegun> {
    let engine = engine.into();
    let sealed = match &engine {
        EngineSource::Engine(engine) => Some(engine.clone()),
        EngineSource::Script(_) => None,
    };
    app_with(scenario, engine, sealed, additions)
}

/// The same with this engine for sealed characters, or with none.
pub(crate) fn app_with(
    scenario: &Scenario,
    engine: EngineSource,
    sealed: Option<SharedEngine>,
    additions: &Additions<'_>,
) -> Result<App, NotBegun> {
    let recorded = scenario.beginning.as_ref();
    let recorded = recorded.map(|beginning| beginning.game(additions.of_game));
    let recorded = recorded.transpose()?;
    let mut plugins = DramatisPlugins::new(engine);
    if let Some(sealed) = sealed {
        plugins = plugins.with_sealed_shared(sealed);
    }
    let spec = &scenario.spec;
    let mut app = App::new();
    app.add_plugins(plugins)
        .insert_resource(WorldSeed(spec.seed))
        .insert_resource(DramatisClock {
            game: scenario.game_time,
            call: CallTime(0),
        })
        .insert_resource(spec.budget.budget())
        .insert_resource(DialoguePolicy(scenario.policy))
        .insert_resource(PlayerId(scenario.player.clone()))
        .insert_resource(spec.queue)
        .insert_resource(ActiveStory(scenario.story.clone()))
        .insert_resource(spec.adventure)
        .insert_resource(scenario.plans.clone())
        .insert_resource(TurnNarration(spec.tell_turns))
        .insert_resource(Overhearing(spec.overheard))
        .insert_resource(Lorebook::of(&scenario.story))
        .insert_resource(Groups::new(scenario.story.groups.clone(), BTreeMap::new()))
        .insert_resource(personas(spec));
    (additions.of_game)(&mut app);
    (additions.of_caller)(&mut app);
    let world = app.world_mut();
    install_world(world, &scenario.story);
    let cast = scenario.characters.iter();
    let (known, new): (Vec<_>, Vec<_>) = cast.partition(|character| {
        recorded
            .as_ref()
            .is_some_and(|game| game.has(&character.id))
    });
    known
        .into_iter()
        .for_each(|character| enter(world, character));
    world.flush();
    if let Some(recorded) = recorded {
        recorded.put(world)?;
    }
    put_settings(world, &spec.settings)?;
    new.into_iter()
        .for_each(|character| enter(world, character));
    world.flush();
    app.finish();
    app.cleanup();
    Ok(app)
}

/// Lets a character into the world.
fn enter(world: &mut World, character: &Arc<Character>) {
    if let Some(place) = &character.location {
        ensure_location(world, place);
    }
    let described = world.resource::<WorldIndex>().get(&character.id);
    let entity = described.unwrap_or_else(|| world.spawn_empty().id());
    let loaded = LoadedCharacter(character.clone());
    world.entity_mut(entity).insert(loaded);
}

/// The actions and functions of a game: the built-in ones, and those that it adds to its app.
pub(crate) fn registry_of(configure: &dyn Fn(&mut App)) -> ActionRegistry {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::silent());
    configure(&mut app);
    app.world().resource::<ActionRegistry>().clone()
}
