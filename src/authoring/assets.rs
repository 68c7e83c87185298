//! Loading and hot reload through Bevy's asset server (contract row X1).
//!
//! A bad file never replaces a good one: a failed reload leaves the old asset in place, and [`AuthoringFailed`] names
//! file, line and column. A character whose first load fails speaks the built-in fallback line.

use super::files::{FileSource, MemoryFiles, Sourced};
use super::{Character, NpcSpec, StoryBook, StorySpec};
use crate::engine::{ScriptSpec, ScriptedEngine};
use crate::events::{AuthoringFailed, Outbox, Outgoing, Spoke};
use crate::format::{AuthoringError, Inline};
use crate::npc::{LoadedCharacter, Npc, RequestQueue};
use crate::pipeline::fallback::BUILT_IN_LINE;
use crate::plugin::PipelineSystems;
use crate::story::{ActiveStory, Story, install_world};
use crate::world::ActionRegistry;
use bevy::asset::UntypedAssetId;
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetLoader, LoadContext, LoadState};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// A character's file, loaded.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct CharacterAsset(pub Arc<Character>);

/// A story's file, loaded.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct StoryAsset(pub Arc<StoryBook>);

/// A script's file, loaded.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct ScriptAsset(pub ScriptSpec);

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum LoadError {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// It is wrong.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Wrong(Vec<AuthoringError>),
}

impl From<AuthoringError> for LoadError {
    fn from(error: AuthoringError) -> Self {
        Self::Wrong(vec![error])
    }
}

async fn read_all(reader: &mut dyn Reader) -> std::result::Result<Vec<u8>, std::io::Error> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// Fetches the files that a file refers to, relative to it, then to the asset folder.
async fn fetch(context: &mut LoadContext<'_>, paths: Vec<String>) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    for path in paths {
        let beside = context
            .path()
            .path()
            .parent()
            .map(|folder| folder.join(&path).to_string_lossy().replace('\\', "/"));
        for candidate in beside.into_iter().chain([path.clone()]) {
            if let Ok(bytes) = context.read_asset_bytes(candidate).await {
                files.0.insert(path, bytes);
                break;
            }
        }
    }
    files
}

fn path_of<T>(part: &Inline<T>) -> Option<String> {
    match part {
        Inline::Here(_) => None,
        Inline::Path(path) => Some(path.clone()),
    }
}

#[derive(Default, TypePath)]
struct CharacterLoader;

impl AssetLoader for CharacterLoader {
    type Asset = CharacterAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<CharacterAsset, LoadError> {
        let file = context.path().to_string();
        let spec = Sourced::<NpcSpec>::parse(&read_all(reader).await?, &file)?;
        let files = fetch(
            context,
            spec.value.rules.iter().filter_map(path_of).collect(),
        )
        .await;
        compile(&spec, &files).map(|character| CharacterAsset(Arc::new(character)))
    }

    fn extensions(&self) -> &[&str] {
        &["npc.ron"]
    }
}

fn compile(
    spec: &Sourced<NpcSpec>,
    files: &dyn FileSource,
) -> std::result::Result<Character, LoadError> {
    Character::compile(spec, files).map_err(LoadError::Wrong)
}

#[derive(TypePath)]
struct StoryLoader {
    registry: ActionRegistry,
}

impl AssetLoader for StoryLoader {
    type Asset = StoryAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<StoryAsset, LoadError> {
        let file = context.path().to_string();
        let spec = Sourced::<StorySpec>::parse(&read_all(reader).await?, &file)?;
        let story = &spec.value;
        let rules = story
            .rules
            .iter()
            .chain(story.triggers.iter().flat_map(|trigger| &trigger.rules));
        let paths = rules
            .filter_map(path_of)
            .chain(story.world.iter().filter_map(path_of))
            .chain(story.rulebook.iter().filter_map(path_of));
        let files = fetch(context, paths.collect()).await;
        let book = StoryBook::compile(&spec, &files, &self.registry).map_err(LoadError::Wrong)?;
        Ok(StoryAsset(Arc::new(book)))
    }

    fn extensions(&self) -> &[&str] {
        &["story.ron"]
    }
}

#[derive(Default, TypePath)]
struct ScriptLoader;

impl AssetLoader for ScriptLoader {
    type Asset = ScriptAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<ScriptAsset, LoadError> {
        let file = context.path().to_string();
        let script = Sourced::<ScriptSpec>::parse(&read_all(reader).await?, &file)?;
        ScriptedEngine::new(&script.value).map_err(|error| script.locate(&error.problem()))?;
        Ok(ScriptAsset(script.value))
    }

    fn extensions(&self) -> &[&str] {
        &["script.ron"]
    }
}

/// A scripted engine that waits for its script.
#[derive(Debug, Clone)]
pub(crate) struct EngineScript {
    pub engine: ScriptedEngine,
    pub path: String,
}

/// While it exists, requests wait: the engine's script is still on its way.
#[derive(Resource)]
pub(crate) struct ScriptLoading;

#[derive(Resource)]
struct WaitingScript {
    engine: ScriptedEngine,
    handle: Handle<ScriptAsset>,
}

/// On an NPC whose file could not be loaded at all.
#[derive(Component, Debug, Clone, Copy)]
pub struct CharacterLoadFailed;

#[derive(Resource)]
struct Strict(bool);

/// Loaders and hot reload. It does nothing in an app without `AssetPlugin`.
pub struct AuthoringPlugin {
    pub(crate) script: Option<EngineScript>,
    pub(crate) strict: bool,
    pub(crate) schedule: Interned<dyn ScheduleLabel>,
}

impl Plugin for AuthoringPlugin {
    fn build(&self, app: &mut App) {
        let Some(server) = app.world().get_resource::<AssetServer>().cloned() else {
            if let Some(script) = &self.script {
                log::error!(
                    "\"{}\" cannot be loaded: add AssetPlugin before DramatisPlugins",
                    script.path
                );
            }
            return;
        };
        app.init_asset::<CharacterAsset>()
            .init_asset::<StoryAsset>()
            .init_asset::<ScriptAsset>()
            .init_asset_loader::<CharacterLoader>()
            .init_asset_loader::<ScriptLoader>()
            .insert_resource(Strict(self.strict))
            .add_systems(
                self.schedule,
                (
                    report_failures::<CharacterAsset>,
                    report_failures::<StoryAsset>,
                    report_failures::<ScriptAsset>,
                    activate_story,
                    activate_script.run_if(resource_exists::<WaitingScript>),
                    attach_loaded_characters,
                    mark_failed_characters,
                    answer_for_failed_characters,
                )
                    .chain()
                    .before(PipelineSystems::Interaction),
            );
        if let Some(EngineScript { engine, path }) = self.script.clone() {
            let handle = server.load(path);
            app.insert_resource(WaitingScript { engine, handle })
                .insert_resource(ScriptLoading);
        }
    }

    fn finish(&self, app: &mut App) {
        // Only now has the game named all its actions, which a story's rulebook may speak of.
        if app.world().contains_resource::<AssetServer>() {
            let registry = app
                .world_mut()
                .get_resource_or_init::<ActionRegistry>()
                .clone();
            app.register_asset_loader(StoryLoader { registry });
        }
    }
}

fn report_failures<A: Asset>(
    mut failed: MessageReader<AssetLoadFailedEvent<A>>,
    mut commands: Commands,
    mut reports: MessageWriter<AuthoringFailed>,
    mut exit: MessageWriter<AppExit>,
    strict: Res<Strict>,
) {
    for failure in failed.read() {
        let file = failure.path.to_string();
        for error in located(&failure.error, &file) {
            log::error!("{error}");
            reports.write(AuthoringFailed {
                error: error.clone(),
            });
            commands.trigger(AuthoringFailed { error });
        }
        if strict.0 {
            exit.write(AppExit::error());
        }
    }
}

/// The errors of a loader with their places; anything else is about the whole file.
fn located(error: &AssetLoadError, file: &str) -> Vec<AuthoringError> {
    if let AssetLoadError::AssetLoaderError(loader) = error
        && let Some(LoadError::Wrong(errors)) = loader.error().downcast_ref::<LoadError>()
    {
        return errors.clone();
    }
    let message = error.to_string();
    let first = message.lines().next().unwrap_or_default();
    vec![AuthoringError::whole(file, first)]
}

/// Takes a story over when it is loaded or has changed. Its world is installed the first time only.
fn activate_story(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<StoryAsset>>,
    story: Option<Res<Story>>,
    stories: Res<Assets<StoryAsset>>,
    mut installed: Local<bool>,
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
    commands.insert_resource(ActiveStory(book.clone()));
    if !*installed {
        *installed = true;
        let book = book.clone();
        commands.queue(move |world: &mut World| install_world(world, &book));
    }
}

fn activate_script(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<ScriptAsset>>,
    waiting: Res<WaitingScript>,
    scripts: Res<Assets<ScriptAsset>>,
    server: Res<AssetServer>,
    on_its_way: Option<Res<ScriptLoading>>,
) {
    let handle = &waiting.handle;
    let changed = events
        .read()
        .any(|event| event.is_added(handle) || event.is_modified(handle));
    let script = scripts.get(handle);
    if let Some(ScriptAsset(script)) = script.filter(|_| changed)
        && let Err(error) = waiting.engine.set_script(script)
    {
        log::error!("the script was refused: {error}");
    }
    // Without a script authored fallback lines carry the game.
    let arrived = script.is_some() || has_failed(&server, handle.id().untyped());
    if on_its_way.is_some() && arrived {
        commands.remove_resource::<ScriptLoading>();
    }
}

/// Gives each NPC its persona when its file is loaded or has changed. A story that still loads comes first.
fn attach_loaded_characters(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<CharacterAsset>>,
    npcs: Query<(Entity, Ref<Npc>, Option<&LoadedCharacter>)>,
    characters: Res<Assets<CharacterAsset>>,
    story: Option<Res<Story>>,
    stories: Res<Assets<StoryAsset>>,
    server: Res<AssetServer>,
    mut held_back: Local<bool>,
) {
    let changed: Vec<AssetId<CharacterAsset>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    // A story that cannot be loaded mutes nobody.
    let story_waits = story.is_some_and(|story| {
        stories.get(&story.0).is_none() && !has_failed(&server, story.0.id().untyped())
    });
    if story_waits {
        *held_back = true;
        return;
    }
    let all = std::mem::take(&mut *held_back);
    for (entity, npc, persona) in &npcs {
        if !(all || npc.is_added() || npc.is_changed() || changed.contains(&npc.0.id())) {
            continue;
        }
        let Some(CharacterAsset(character)) = characters.get(&npc.0) else {
            continue;
        };
        if persona.is_none_or(|persona| !Arc::ptr_eq(&persona.0, character)) {
            commands
                .entity(entity)
                .remove::<CharacterLoadFailed>()
                .try_insert(LoadedCharacter(character.clone()));
        }
    }
}

fn has_failed(server: &AssetServer, id: UntypedAssetId) -> bool {
    matches!(server.get_load_state(id), Some(LoadState::Failed(_)))
}

/// Marks characters whose file could not be loaded, those that were spawned after it failed too.
fn mark_failed_characters(
    mut commands: Commands,
    mut failed: MessageReader<AssetLoadFailedEvent<CharacterAsset>>,
    npcs: Query<(Entity, Ref<Npc>), Without<LoadedCharacter>>,
    server: Res<AssetServer>,
) {
    let failed: Vec<AssetId<CharacterAsset>> = failed.read().map(|failure| failure.id).collect();
    for (entity, npc) in &npcs {
        let id = npc.0.id();
        if failed.contains(&id) || (npc.is_added() && has_failed(&server, id.untyped())) {
            commands.entity(entity).try_insert(CharacterLoadFailed);
        }
    }
}

fn answer_for_failed_characters(
    mut broken: Query<
        (Entity, &mut RequestQueue),
        (With<CharacterLoadFailed>, Without<LoadedCharacter>),
    >,
    mut outbox: ResMut<Outbox>,
) {
    for (entity, mut queue) in &mut broken {
        if queue.is_empty() {
            continue;
        }
        for _ in queue.waiting.drain(..) {
            outbox.0.push(Outgoing::Spoke(Spoke {
                entity,
                npc: String::new(),
                run: Entity::PLACEHOLDER,
                line: BUILT_IN_LINE.to_owned(),
                fallback: true,
            }));
        }
    }
}
