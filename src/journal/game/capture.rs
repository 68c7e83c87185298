//! A whole game out of a running app, and back into one.

use super::saved_game::{SavedGame, Session, Settings};
use crate::actor_turns::{RecentMentions, TurnQueue};
use crate::adventure::{forget_ended_turns, saved};
use crate::authoring::{AssetSource, Character, StoryBook};
use crate::base::clock::{DramatisClock, GameTimeOffset};
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::format::AuthoringError;
use crate::memory::{DormantMinds, Mind, SavedMind};
use crate::npc::ReadyNpcs;
use crate::npc::limits::keep_to_limits;
use crate::npc::{KnownNames, LoadedCharacter, RequestQueue};
use crate::outbox::Outbox;
use crate::pipeline::Outcome;
use crate::pipeline::run::finish::end_run;
use crate::pipeline::run::retraction::RetractableLines;
use crate::pipeline::run::{ActiveRun, Run};
use crate::pipeline::steps::interaction::RunNumbers;
use crate::plans::Plans;
use crate::plans::saved::{SavedPlans, restore_plans};
use crate::settings::{ComesBack, SettingRegistry};
use crate::story::ActiveStory;
use crate::story::awaited::{await_carriers, awaited_items, forget_awaited};
use crate::town::life::{SavedLives, restore_lives};
use crate::world::refresh::refresh;
use crate::world::writer::{BoundFacts, put_down, write_state};
use crate::world::{
    ActionRegistry, Location, PlacedIn, Placement, WorldId, WorldIndex, WorldState, WorldView,
};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// Asset sources by the hex form of their hash.
pub(crate) type Assets = BTreeMap<String, AssetSource>;

/// How things are done now.
pub(crate) fn settings(world: &World) -> Settings {
    let known = world.resource::<SettingRegistry>().iter();
    let written =
        known.filter_map(|setting| Some((setting.name.to_owned(), setting.written(world)?)));
    written.collect()
}

/// How far things are now.
pub(crate) fn session(world: &World) -> Session {
    let turns = world.resource::<TurnQueue>();
    Session {
        game: world.resource::<DramatisClock>().game,
        counters: *world.resource::<DramatisCounters>(),
        runs: world.resource::<RunNumbers>().0,
        turns_requested: turns.requested,
        turns_taken: turns.taken,
    }
}

/// The whole game in its current state, with the sources of its authored parts.
#[must_use]
pub(crate) fn capture(world: &mut World) -> (SavedGame, Assets) {
    world.flush();
    refresh(world);
    let mut assets = Assets::new();
    let mut keep = |source: &AssetSource| {
        let hash = source.digest().to_hex();
        assets.insert(hash.clone(), source.clone());
        hash
    };
    let mut minds: BTreeMap<Id, SavedMind> = world
        .resource::<DormantMinds>()
        .iter()
        .map(|(id, mind)| (id.clone(), mind.into()))
        .collect();
    let mut cast = BTreeMap::new();
    let mut awake = world.query::<(&LoadedCharacter, &Mind)>();
    for (character, mind) in awake.iter(world) {
        let id = &character.0.id;
        minds.insert(id.clone(), mind.into());
        cast.insert(id.clone(), keep(character.0.source()));
    }
    let story = world.resource::<ActiveStory>().0.clone();
    let story = story.source().map(|source| keep(source));
    let mut mentions = world.query::<(&WorldId, &RecentMentions)>();
    let mentioned = mentions.iter(world);
    let mentioned = mentioned.map(|(id, mentioned)| (id.0.clone(), mentioned.0.clone()));
    let mentioned = mentioned.collect();
    let lives = SavedLives::of(world);
    let game = SavedGame {
        settings: settings(world),
        session: session(world),
        names: world.resource::<KnownNames>().all().to_vec(),
        world: WorldView::new(world).to_state(),
        minds,
        cast,
        story,
        mentioned,
        awaited: awaited_items(world),
        adventure: saved::all_parts(world),
        plans: world
            .get_resource::<Plans>()
            .map(SavedPlans::of)
            .filter(|saved| saved.asked > 0),
        lives,
    };
    (game, assets)
}

/// What a saved game is put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restoring {
    /// A running game: its own files and policies stay.
    Game,
    /// A scenario that begins with it: its own files stay, all else is as it was recorded.
    Scenario,
    /// A replay: everything is as it was recorded.
    Replay,
}

impl Restoring {
    /// Whether the characters and the story that are there already stay.
    fn keeps_files(self) -> bool {
        self != Self::Replay
    }
}

/// Why a saved game cannot be put back. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum RestoreError {
    /// The source of an authored thing is not in the file.
    #[error("the file does not hold the source of {0}")]
    MissingAsset(String),
    /// The source of an authored thing cannot be used.
    #[error("{0}")]
    Authoring(AuthoringError),
    /// A setting is missing or cannot be read.
    #[error("the setting \"{name}\" cannot be read: {why}")]
    Setting {
        /// Its name in files.
        name: &'static str,
        /// The problem.
        why: String,
    },
}

fn first_of(errors: Vec<AuthoringError>, hash: &str) -> RestoreError {
    let first = errors.into_iter().next();
    first.map_or_else(
        || RestoreError::MissingAsset(hash.to_owned()),
        RestoreError::Authoring,
    )
}

fn source<'a>(assets: &'a Assets, hash: &str) -> Result<&'a AssetSource, RestoreError> {
    let missing = || RestoreError::MissingAsset(hash.to_owned());
    assets.get(hash).ok_or_else(missing)
}

pub(crate) fn character(assets: &Assets, hash: &str) -> Result<Arc<Character>, RestoreError> {
    let character = source(assets, hash)?.character();
    let character = character.map_err(|errors| first_of(errors, hash))?;
    Ok(Arc::new(character))
}

pub(crate) fn story(
    assets: &Assets,
    hash: &str,
    registry: &ActionRegistry,
) -> Result<Arc<StoryBook>, RestoreError> {
    let story = source(assets, hash)?.story(registry);
    let story = story.map_err(|errors| first_of(errors, hash))?;
    Ok(Arc::new(story))
}

/// Puts a saved game into an app in place of the current one. Later events are forgotten.
///
/// # Errors
/// See `RestoreError`; nothing has changed then.
pub(crate) fn restore(
    world: &mut World,
    saved: &SavedGame,
    assets: &Assets,
    target: Restoring,
) -> Result<(), RestoreError> {
    world.flush();
    check_settings(world, &saved.settings)?;
    let on_stage = characters_on_stage(world);
    let mut characters = BTreeMap::new();
    for (id, hash) in &saved.cast {
        match character(assets, hash) {
            Ok(character) => {
                characters.insert(id.clone(), character);
            }
            // A character that lives here keeps its own file.
            Err(_) if target.keeps_files() && on_stage.contains_key(id) => {}
            Err(error) => return Err(error),
        }
    }
    let no_story = world.resource::<ActiveStory>().0.source().is_none();
    let installed = match &saved.story {
        Some(hash) if no_story || !target.keeps_files() => {
            let registry = world.resource::<ActionRegistry>().clone();
            Some(story(assets, hash, &registry)?)
        }
        _ => None,
    };
    end_everything(world);
    if let Some(book) = installed {
        world.insert_resource(ActiveStory(book));
    }
    put_settings(world, &saved.settings, target);
    remove_absent(world, &on_stage, saved);
    let bound = match target {
        Restoring::Game => BoundFacts::LeaveOut,
        Restoring::Scenario | Restoring::Replay => BoundFacts::Write,
    };
    write_state(world, &saved.world, bound);
    put_minds(world, saved, target);
    let on_stage = characters_on_stage(world);
    for (id, character) in characters {
        let stays = target.keeps_files() && on_stage.contains_key(&id);
        if let Some(entity) = world.resource::<WorldIndex>().get(&id).filter(|_| !stays) {
            world.entity_mut(entity).insert(LoadedCharacter(character));
        }
    }
    world.flush();
    // A newcomer goes to its first place by itself: where things are is said last.
    put_placements(world, &saved.world);
    put_mentions(world, saved);
    put_session(world, saved);
    saved::put_all(world, &saved.adventure);
    restore_plans(world, &saved.plans.clone().unwrap_or_default());
    restore_lives(world, saved.lives.as_ref());
    if target.keeps_files() {
        // In a replay, a record gives the waiting things.
        await_carriers(world, &saved.awaited);
    }
    refresh(world);
    Ok(())
}

fn characters_on_stage(world: &mut World) -> BTreeMap<Id, Entity> {
    let mut query = world.query::<(Entity, &LoadedCharacter)>();
    query
        .iter(world)
        .map(|(entity, character)| (character.0.id.clone(), entity))
        .collect()
}

/// Runs in flight end as Cancelled, what waits is dropped.
fn end_everything(world: &mut World) {
    let mut active = world.query_filtered::<(Entity, &Run), With<ActiveRun>>();
    let active = active.iter(world);
    let mut active: Vec<(u64, Entity)> = active.map(|(e, run)| (run.number(), e)).collect();
    active.sort_unstable();
    for (_, run) in active {
        end_run(world, run, Outcome::Cancelled);
    }
    let mut queues = world.query::<&mut RequestQueue>();
    for mut queue in queues.iter_mut(world) {
        queue.waiting.clear();
    }
    // Lines of the game that ends here cannot be taken back in another.
    let mut spoke = world.query_filtered::<Entity, With<RetractableLines>>();
    let spoke: Vec<Entity> = spoke.iter(world).collect();
    for npc in spoke {
        world.entity_mut(npc).remove::<RetractableLines>();
    }
    world.resource_mut::<ReadyNpcs>().0.clear();
    world.resource_mut::<TurnQueue>().forget();
    // Events of the game that ends here are not sent any more.
    world.resource_mut::<Outbox>().forget();
    forget_awaited(world);
    forget_ended_turns(world);
}

/// Whether all settings of a file can be put into this game. Settings that no plugin has added are passed over.
///
/// # Errors
/// `RestoreError::Setting` names the first one that cannot.
pub(crate) fn check_settings(world: &World, settings: &Settings) -> Result<(), RestoreError> {
    for setting in world.resource::<SettingRegistry>().iter() {
        let name = setting.name;
        let error = |error: serde_json::Error| RestoreError::Setting {
            name,
            why: error.to_string(),
        };
        setting.check(settings.value(name)).map_err(error)?;
    }
    Ok(())
}

/// Puts checked settings into a game.
pub(crate) fn put_settings(world: &mut World, settings: &Settings, target: Restoring) {
    let known = world.resource::<SettingRegistry>().clone();
    for setting in known.iter() {
        if setting.comes_back == ComesBack::WithSave || target != Restoring::Game {
            (setting.put)(world, settings.value(setting.name));
        }
    }
    for name in settings.names() {
        if known.iter().all(|setting| setting.name != name) {
            log::warn!(
                "the setting \"{}\" of the save is passed over: no plugin has added it",
                name.escape_debug()
            );
        }
    }
}

/// Characters and things that are not in the save leave.
fn remove_absent(world: &mut World, on_stage: &BTreeMap<Id, Entity>, saved: &SavedGame) {
    for (id, entity) in on_stage {
        if saved.cast.contains_key(id) {
            continue;
        }
        // It may have gone with another one.
        let Ok(mut entity) = world.get_entity_mut(*entity) else {
            continue;
        };
        if saved.world.entities.contains_key(id) {
            entity.remove::<LoadedCharacter>();
        } else {
            entity.despawn();
        }
    }
    let index = world.resource::<WorldIndex>();
    let gone: Vec<Entity> = index
        .iter()
        .filter(|(id, entity)| {
            let place = world.get::<Location>(*entity).is_some();
            let saved_place = saved.world.locations.contains_key(*id);
            let saved_thing = saved.world.entities.contains_key(*id);
            !(saved_place && place || saved_thing && !place)
        })
        .map(|(_, entity)| entity)
        .collect();
    for entity in gone {
        // One may have gone with another.
        let _ = world.try_despawn(entity);
    }
    world.flush();
}

/// First everything is lifted, then put down: so no thing can block another.
fn put_placements(world: &mut World, state: &WorldState) {
    let entity = |world: &World, id: &str| world.resource::<WorldIndex>().get(id);
    let wrong: Vec<(Entity, &Placement)> = {
        let judged = WorldView::new(world);
        use crate::world::WorldRead;
        let all = state.entities.iter();
        all.filter(|(id, view)| judged.placement(id).as_ref() != Some(&view.at))
            .filter_map(|(id, view)| Some((entity(world, id)?, &view.at)))
            .collect()
    };
    for (entity, _) in &wrong {
        world.entity_mut(*entity).remove::<PlacedIn>();
    }
    for (thing, at) in wrong {
        put_down(world, thing, at);
    }
    world.flush();
}

fn put_minds(world: &mut World, saved: &SavedGame, target: Restoring) {
    let on_stage = characters_on_stage(world);
    world.resource_mut::<DormantMinds>().clear();
    for (id, mind) in &saved.minds {
        let mind = mind.restore(id);
        match on_stage.get(id) {
            Some(entity) => {
                world.entity_mut(*entity).insert(mind);
                if target.keeps_files() {
                    keep_to_limits(world, *entity);
                }
            }
            None => {
                world.resource_mut::<DormantMinds>().keep(id.clone(), mind);
            }
        }
    }
}

fn put_mentions(world: &mut World, saved: &SavedGame) {
    let mut had = world.query_filtered::<Entity, With<RecentMentions>>();
    let had: Vec<Entity> = had.iter(world).collect();
    for entity in had {
        world.entity_mut(entity).remove::<RecentMentions>();
    }
    for (actor, mentioned) in &saved.mentioned {
        if let Some(entity) = world.resource::<WorldIndex>().get(actor) {
            let mentioned = RecentMentions(mentioned.clone());
            world.entity_mut(entity).insert(mentioned);
        }
    }
}

fn put_session(world: &mut World, saved: &SavedGame) {
    let session = saved.session;
    let mut names: KnownNames = saved.names.iter().cloned().collect();
    let mut on_stage = world.query::<&LoadedCharacter>();
    for character in on_stage.iter(world) {
        // A newer file may have given a new name.
        names.add(&character.0.name);
    }
    world.insert_resource(names);
    world.insert_resource(session.counters);
    // Made-up numbers must not run over.
    let bounded = |number: u64| number.min(u64::MAX / 2);
    world.resource_mut::<RunNumbers>().0 = bounded(session.runs);
    let mut turns = world.resource_mut::<TurnQueue>();
    turns.requested = bounded(session.turns_requested);
    turns.taken = bounded(session.turns_taken);
    let mut clock = world.resource_mut::<DramatisClock>();
    let shift = session.game.since(clock.game);
    clock.game = session.game;
    let mut offset = world.get_resource_or_init::<GameTimeOffset>();
    offset.0 = offset.0.plus(shift);
}
