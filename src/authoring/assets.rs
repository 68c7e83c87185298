//! Authored files as Bevy assets, and their loaders.

use super::files::{MemoryFiles, WithSource};
use super::rulebooks::MOST_BASES;
use super::{Character, NpcSpec, StoryBook, StorySpec};
use crate::engine::{ScriptSpec, ScriptedEngine};
use crate::format::{AuthoringError, Inline, parse_ron};
use crate::world::{ActionRegistry, Rulebook};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// A character's file (`.npc.ron`), loaded and compiled. [`Npc`](crate::npc::Npc) holds a handle to it.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct CharacterAsset(pub Arc<Character>);

/// A story's file (`.story.ron`), loaded and compiled. [`Story`](crate::story::Story) holds a handle to it.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct StoryAsset(pub Arc<StoryBook>);

/// A file of scripted replies (`.script.ron`), loaded and checked.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct ScriptAsset(pub ScriptSpec);

/// Why a file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The file was read and cannot be used. Holds its errors, each with its place.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Wrong(Vec<AuthoringError>),
}

impl From<AuthoringError> for AssetError {
    fn from(error: AuthoringError) -> Self {
        Self::Wrong(vec![error])
    }
}

pub(crate) async fn read_all(reader: &mut dyn Reader) -> std::io::Result<Vec<u8>> {
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

/// Fetches the rulebooks that a rulebook extends.
async fn fetch_bases(context: &mut LoadContext<'_>, files: &mut MemoryFiles, book: &Rulebook) {
    let mut next = book.base_file().map(str::to_owned);
    for _ in 0..MOST_BASES {
        let Some(path) = next.take() else {
            break;
        };
        files.0.extend(fetch(context, vec![path.clone()]).await.0);
        next = parsed(files, &path).and_then(|book| book.base_file().map(str::to_owned));
    }
}

fn parsed(files: &MemoryFiles, path: &str) -> Option<Rulebook> {
    let bytes = files.0.get(path)?;
    parse_ron(bytes, path).ok()
}

fn path_of<T>(part: &Inline<T>) -> Option<String> {
    match part {
        Inline::Here(_) => None,
        Inline::Path(path) => Some(path.clone()),
    }
}

#[derive(Default, TypePath)]
pub(crate) struct CharacterLoader;

impl AssetLoader for CharacterLoader {
    type Asset = CharacterAsset;
    type Settings = ();
    type Error = AssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<CharacterAsset, AssetError> {
        let file = context.path().to_string();
        let spec = WithSource::<NpcSpec>::parse(&read_all(reader).await?, &file)?;
        let files = fetch(
            context,
            spec.value
                .rules
                .iter()
                .filter_map(path_of)
                .chain(spec.value.lexicon.iter().filter_map(path_of))
                .chain(path_of(&spec.value.routine))
                .chain(spec.value.persona_file().map(str::to_owned))
                .collect(),
        )
        .await;
        let character = Character::compile(&spec, &files).map_err(AssetError::Wrong)?;
        Ok(CharacterAsset(Arc::new(character)))
    }

    fn extensions(&self) -> &[&str] {
        &[
            "npc.ron",
            #[cfg(feature = "json")]
            "npc.json",
        ]
    }
}

#[derive(TypePath)]
pub(crate) struct StoryLoader {
    pub registry: ActionRegistry,
}

impl AssetLoader for StoryLoader {
    type Asset = StoryAsset;
    type Settings = ();
    type Error = AssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<StoryAsset, AssetError> {
        let file = context.path().to_string();
        let spec = WithSource::<StorySpec>::parse(&read_all(reader).await?, &file)?;
        let story = &spec.value;
        let rules = story
            .rules
            .iter()
            .chain(story.triggers.iter().flat_map(|trigger| &trigger.rules));
        let paths = rules
            .filter_map(path_of)
            .chain(story.world.iter().filter_map(path_of))
            .chain(story.rulebook.iter().filter_map(path_of))
            .chain(story.lexicon.iter().filter_map(path_of));
        let mut files = fetch(context, paths.collect()).await;
        match &story.rulebook {
            Some(Inline::Here(book)) => fetch_bases(context, &mut files, book).await,
            Some(Inline::Path(path)) => {
                if let Some(book) = parsed(&files, path) {
                    fetch_bases(context, &mut files, &book).await;
                }
            }
            None => {}
        }
        let book = StoryBook::compile(&spec, &files, &self.registry).map_err(AssetError::Wrong)?;
        Ok(StoryAsset(Arc::new(book)))
    }

    fn extensions(&self) -> &[&str] {
        &[
            "story.ron",
            #[cfg(feature = "json")]
            "story.json",
        ]
    }
}

#[derive(Default, TypePath)]
pub(crate) struct ScriptLoader;

impl AssetLoader for ScriptLoader {
    type Asset = ScriptAsset;
    type Settings = ();
    type Error = AssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<ScriptAsset, AssetError> {
        let file = context.path().to_string();
        let script = WithSource::<ScriptSpec>::parse(&read_all(reader).await?, &file)?;
        ScriptedEngine::new(&script.value).map_err(|problem| script.locate(&problem))?;
        Ok(ScriptAsset(script.value))
    }

    fn extensions(&self) -> &[&str] {
        &[
            "script.ron",
            #[cfg(feature = "json")]
            "script.json",
        ]
    }
}
