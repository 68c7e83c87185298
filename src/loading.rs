//! Loading and hot reload through Bevy's asset server.
//!
//! A bad file never replaces a good one: a failed reload leaves the old asset in place, and [`AuthoringFailed`] names
//! file, line and column. A character whose first load fails speaks the built-in fallback line.

pub(crate) mod events;

use crate::authoring::assets::{
    AssetError, CharacterAsset, CharacterLoader, ScriptAsset, ScriptLoader, StoryAsset, StoryLoader,
};
use crate::engine::ScriptedEngine;
use crate::events::{AuthoringFailed, DramatisReady, Spoke};
use crate::format::AuthoringError;
use crate::id;
use crate::npc::{LoadedCharacter, Npc, RequestQueue};
use crate::outbox::{Outbox, send};
use crate::pipeline::driver::systems::{LoadingSystems, PipelineSystems};
use crate::pipeline::stage::template_files::{TemplateAsset, TemplateLoader, use_templates};
use crate::pipeline::steps::fallback::BUILT_IN_LINE;
use crate::staging::StoryCommandsExt;
use crate::story::{ActiveStory, Story};
use crate::world::ActionRegistry;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, LoadState, UntypedAssetId};
use bevy::ecs::entity::EntityIndexSet;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A scripted engine that waits for its script.
#[derive(Debug, Clone)]
pub(crate) struct EngineScript {
    pub engine: ScriptedEngine,
    pub path: String,
}

/// While it exists, requests wait: the script of the engine is still loading.
#[derive(Resource)]
pub(crate) struct ScriptLoading;

/// The script that the engine plays, loaded or not.
#[derive(Resource)]
struct PlayedScript {
    engine: ScriptedEngine,
    handle: Handle<ScriptAsset>,
}

/// On an [`Npc`] whose file could not be loaded. It answers every request with the built-in line. It goes when the file is
/// fixed.
#[derive(Component, Debug, Clone, Copy, Default, Reflect)]
#[reflect(Component, Default)]
pub(crate) struct CharacterLoadFailed;

/// Whether a file that cannot be used ends the app.
#[derive(Resource)]
struct Strict(bool);

/// Whether everything that a game asked for is loaded. See [`DramatisReady`].
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Readiness {
    ready: bool,
}

/// A run condition: everything that the game asked for is loaded, as [`DramatisReady`] tells.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
///
/// fn greet(mut commands: Commands, wizard: Single<Entity, With<Npc>>, player: Single<Entity, With<Player>>) {
///     commands.entity(*wizard).hear(*player, "Good evening.");
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
///     .add_systems(Update, greet.run_if(dramatis_ready.and_then(run_once)));
/// ```
#[must_use]
pub fn dramatis_ready(world: &World) -> bool {
    let readiness = world.get_resource::<Readiness>();
    readiness.is_some_and(|readiness| readiness.ready)
}

#[cfg(feature = "store")]
impl Readiness {
    pub(crate) fn is_ready(&self) -> bool {
        self.ready
    }
}

/// Loads authored files, and loads them again when they change. Part of
/// [`DramatisPlugins`](crate::plugin::DramatisPlugins); it does nothing in an app without `AssetPlugin`.
pub(crate) struct AuthoringPlugin {
    pub(crate) script: Option<EngineScript>,
    strict: bool,
    schedule: Interned<dyn ScheduleLabel>,
}

impl AuthoringPlugin {
    /// In this schedule, which must be that of the `PipelinePlugin`.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            script: None,
            strict: false,
            schedule: schedule.intern(),
        }
    }

    /// A file that cannot be used ends the app with an error exit.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    pub(crate) fn with_script(mut self, script: Option<EngineScript>) -> Self {
        self.script = script;
        self
    }
}

impl Default for AuthoringPlugin {
    /// In `Update`.
    fn default() -> Self {
        Self::new(Update)
    }
}

impl Plugin for AuthoringPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Readiness>()
            .register_type::<CharacterLoadFailed>()
            .configure_sets(
                self.schedule,
                LoadingSystems.before(PipelineSystems::Interaction),
            )
            .add_systems(
                self.schedule,
                announce_readiness
                    .run_if(|readiness: Res<Readiness>| !readiness.ready)
                    .after(LoadingSystems)
                    .before(PipelineSystems::Interaction),
            );
        let Some(server) = app.world().get_resource::<AssetServer>().cloned() else {
            if let Some(script) = &self.script {
                log::error!(
                    "\"{}\" cannot be loaded: add AssetPlugin before DramatisPlugins",
                    script.path
                );
            }
            return;
        };
        let mut npcs = app.world_mut().query_filtered::<Entity, With<Npc>>();
        let before = npcs.iter(app.world()).collect();
        app.insert_resource(AwaitedCharacters(before))
            .add_observer(on_npc_inserted)
            .init_asset::<CharacterAsset>()
            .init_asset::<StoryAsset>()
            .init_asset::<ScriptAsset>()
            .init_asset::<TemplateAsset>()
            .init_asset_loader::<TemplateLoader>()
            .init_asset_loader::<CharacterLoader>()
            .init_asset_loader::<ScriptLoader>()
            .insert_resource(Strict(self.strict))
            .add_systems(
                self.schedule,
                (
                    report_failures::<CharacterAsset>,
                    report_failures::<StoryAsset>,
                    report_failures::<ScriptAsset>,
                    report_failures::<TemplateAsset>,
                    activate_story,
                    use_templates,
                    activate_script.run_if(resource_exists::<PlayedScript>),
                    attach_loaded_characters,
                    mark_failed_characters,
                    answer_for_failed_characters,
                )
                    .chain()
                    .in_set(LoadingSystems),
            );
        if let Some(EngineScript { engine, path }) = self.script.clone() {
            let handle = server.load(path);
            app.insert_resource(PlayedScript { engine, handle })
                .insert_resource(ScriptLoading);
        }
    }

    fn finish(&self, app: &mut App) {
        // Only now has the game named all its actions, which the rulebook of a story may speak of.
        if app.world().contains_resource::<AssetServer>() {
            let registry = app
                .world_mut()
                .get_resource_or_init::<ActionRegistry>()
                .clone();
            app.register_asset_loader(StoryLoader { registry });
        }
    }
}

/// Sends [`DramatisReady`] once everything is loaded or has failed.
fn announce_readiness(
    mut readiness: ResMut<Readiness>,
    mut commands: Commands,
    script: Option<Res<ScriptLoading>>,
    story: Option<Res<Story>>,
    stories: Option<Res<Assets<StoryAsset>>>,
    server: Option<Res<AssetServer>>,
    loading: Query<
        (),
        (
            With<Npc>,
            Without<LoadedCharacter>,
            Without<CharacterLoadFailed>,
        ),
    >,
) {
    let story_loads = story.is_some_and(|story| match (stories, server) {
        (Some(stories), Some(server)) => story_is_loading(&story, &stories, &server),
        _ => false,
    });
    if script.is_some() || story_loads || !loading.is_empty() {
        return;
    }
    readiness.ready = true;
    commands.queue(|world: &mut World| send(world, DramatisReady));
}

/// A story that has neither arrived nor failed. A story that cannot be loaded holds up nothing.
fn story_is_loading(story: &Story, stories: &Assets<StoryAsset>, server: &AssetServer) -> bool {
    stories.get(&story.0).is_none() && !has_failed(server, story.0.id().untyped())
}

/// Reports each error of a file once, for the game to show. Bevy's asset server logs them, with their places. It tells
/// of one failed reload several times, also in different frames: the same
/// errors of the same file are not told again before the file has been loaded.
fn report_failures<A: Asset>(
    mut failed: MessageReader<AssetLoadFailedEvent<A>>,
    mut loaded: MessageReader<AssetEvent<A>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
    server: Res<AssetServer>,
    strict: Res<Strict>,
    mut told: Local<BTreeMap<String, Vec<AuthoringError>>>,
) {
    for event in loaded.read() {
        if let AssetEvent::Added { id } | AssetEvent::Modified { id } = event
            && let Some(path) = server.get_path(*id)
        {
            told.remove(&path.to_string());
        }
    }
    for failure in failed.read() {
        if strict.0 {
            exit.write(AppExit::error());
        }
        let file = failure.path.to_string();
        let errors = located(&failure.error, &file);
        if told.get(&file) == Some(&errors) {
            continue;
        }
        told.insert(file, errors.clone());
        for error in errors {
            commands.queue(|world: &mut World| send(world, AuthoringFailed { error }));
        }
    }
}

/// The errors of a loader with their places; anything else is about the whole file.
fn located(error: &AssetLoadError, file: &str) -> Vec<AuthoringError> {
    if let AssetLoadError::AssetLoaderError(loader) = error
        && let Some(AssetError::Wrong(errors)) = loader.error().downcast_ref::<AssetError>()
    {
        return errors.clone();
    }
    let message = error.to_string();
    let first = message.lines().next().unwrap_or_default();
    vec![AuthoringError::whole(file, first)]
}

/// Takes a story over when it is loaded or has changed. The world that it describes is installed once for each story: a
/// file that is loaded again does not put back what the game has changed meanwhile.
fn activate_story(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<StoryAsset>>,
    story: Option<Res<Story>>,
    stories: Res<Assets<StoryAsset>>,
    mut installed: Local<Option<AssetId<StoryAsset>>>,
) {
    let Some(story) = story else {
        events.clear();
        return;
    };
    let changed = events.read().any(|event| {
        event.is_loaded_with_dependencies(&story.0)
            || event.is_modified(&story.0)
            || event.is_added(&story.0)
    });
    let Some(StoryAsset(book)) = stories
        .get(&story.0)
        .filter(|_| changed || story.is_changed())
    else {
        return;
    };
    match installed.replace(story.0.id()) {
        Some(before) if before == story.0.id() => {
            commands.insert_resource(ActiveStory(book.clone()));
        }
        _ => commands.install_story(book.clone()),
    }
}

fn activate_script(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<ScriptAsset>>,
    played: Res<PlayedScript>,
    scripts: Res<Assets<ScriptAsset>>,
    server: Res<AssetServer>,
    loading: Option<Res<ScriptLoading>>,
    mut is_there: Local<bool>,
) {
    let handle = &played.handle;
    let script = scripts.get(handle);
    // The event that it was added comes a frame after the asset itself is there.
    let is_new = script.is_some() && !std::mem::replace(&mut *is_there, script.is_some());
    let is_other = events.read().any(|event| event.is_modified(handle));
    if let Some(ScriptAsset(script)) = script.filter(|_| is_new || is_other)
        && let Err(error) = played.engine.set_script(script)
    {
        log::error!("the script was refused: {error}");
    }
    // Without a script authored fallback lines carry the game.
    let arrived = script.is_some() || has_failed(&server, handle.id().untyped());
    if loading.is_some() && arrived {
        commands.remove_resource::<ScriptLoading>();
    }
}

/// Characters that have named a file and wait for its contents, so that the code need not visit all characters in each frame.
#[derive(Resource, Debug, Default)]
struct AwaitedCharacters(EntityIndexSet);

/// Notes a character that names a file.
fn on_npc_inserted(npc: On<Insert, Npc>, mut awaited: ResMut<AwaitedCharacters>) {
    awaited.0.insert(npc.entity);
}

/// Gives each [`Npc`] its character when its file is loaded or has changed. A story that is still loading comes first.
fn attach_loaded_characters(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<CharacterAsset>>,
    npcs: Query<(Entity, &Npc, Option<&LoadedCharacter>)>,
    mut awaited: ResMut<AwaitedCharacters>,
    characters: Res<Assets<CharacterAsset>>,
    story: Option<Res<Story>>,
    stories: Res<Assets<StoryAsset>>,
    server: Res<AssetServer>,
    mut loaded: Local<BTreeSet<AssetId<CharacterAsset>>>,
) {
    for event in events.read() {
        if let AssetEvent::Added { id } | AssetEvent::Modified { id } = event {
            loaded.insert(*id);
        }
    }
    if story.is_some_and(|story| story_is_loading(&story, &stories, &server)) {
        return;
    }
    if !loaded.is_empty() {
        let loaded = std::mem::take(&mut *loaded);
        let named = npcs
            .iter()
            .filter(|(_, npc, _)| loaded.contains(&npc.0.id()));
        awaited.0.extend(named.map(|(entity, ..)| entity));
    }
    awaited.0.retain(|entity| {
        let Ok((entity, npc, known)) = npcs.get(*entity) else {
            return false;
        };
        let Some(CharacterAsset(character)) = characters.get(&npc.0) else {
            return true;
        };
        if known.is_none_or(|known| !Arc::ptr_eq(&known.0, character)) {
            commands
                .entity(entity)
                .remove::<CharacterLoadFailed>()
                .try_insert(LoadedCharacter(character.clone()));
        }
        false
    });
}

fn has_failed(server: &AssetServer, id: UntypedAssetId) -> bool {
    matches!(server.get_load_state(id), Some(LoadState::Failed(_)))
}

/// Marks characters whose file could not be loaded, those that were spawned after it failed too.
fn mark_failed_characters(
    mut commands: Commands,
    npcs: Query<&Npc, Without<LoadedCharacter>>,
    mut awaited: ResMut<AwaitedCharacters>,
    characters: Res<Assets<CharacterAsset>>,
    server: Res<AssetServer>,
) {
    awaited.0.retain(|entity| {
        let Ok(npc) = npcs.get(*entity) else {
            return true;
        };
        // One that was loaded once waits for the story alone, whatever became of its file since.
        let id = npc.0.id();
        let failed = !characters.contains(id) && has_failed(&server, id.untyped());
        if failed {
            commands.entity(*entity).try_insert(CharacterLoadFailed);
        }
        !failed
    });
}

/// Answers the requests to characters whose file could not be loaded with the built-in line.
fn answer_for_failed_characters(
    mut failed: Query<
        (Entity, &mut RequestQueue),
        (With<CharacterLoadFailed>, Without<LoadedCharacter>),
    >,
    mut outbox: ResMut<Outbox>,
) {
    for (entity, mut queue) in &mut failed {
        if queue.is_empty() {
            continue;
        }
        for _ in queue.waiting.drain(..) {
            outbox.tell(Spoke {
                entity,
                npc: id!("unknown"),
                run: None,
                line: BUILT_IN_LINE.to_owned(),
                fallback: true,
            });
        }
    }
}
