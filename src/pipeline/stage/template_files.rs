//! Templates from files, loaded again when they change.

use super::template::{StageTemplates, TemplateError, check_template};
use crate::authoring::assets::{AssetError, read_all};
use crate::format::AuthoringError;
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;

/// A template (`.hbs`), loaded and checked. The name of its file says what it is for: `narrator.hbs`, `npc_intent.hbs`,
/// `recap.hbs`, as the templates that the crate ships under `assets/prompts/en`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct TemplateAsset {
    /// What it is for: the name of the file without its ending.
    pub name: String,
    /// The text of the template.
    pub source: String,
}

/// The templates of a game: each replaces the one that the crate ships for the same use, as soon as it is loaded, and again
/// whenever its file changes. A file that cannot be used leaves the template that was there, and
/// [`AuthoringFailed`](crate::events::AuthoringFailed) names the place.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::pipeline::TemplateFiles;
///
/// fn own_words(mut commands: Commands, assets: Res<AssetServer>) {
///     let files = ["prompts/narrator.hbs", "prompts/npc_intent.hbs"];
///     commands.insert_resource(TemplateFiles(files.map(|file| assets.load(file)).into()));
/// }
/// ```
#[derive(Resource, Debug, Clone, Default)]
pub struct TemplateFiles(pub Vec<Handle<TemplateAsset>>);

/// The problem of a template, with its place in the file.
pub(crate) fn located(error: &TemplateError, file: &str) -> AuthoringError {
    let mut located = AuthoringError::whole(file, error.to_string());
    if let TemplateError::Parse {
        line,
        column,
        message,
        ..
    } = error
    {
        (located.line, located.column) = (*line, *column);
        located.message.clone_from(message);
    }
    located
}

/// What a template is for, by the path of its file.
pub(crate) fn name_of(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".hbs").unwrap_or(name)
}

#[derive(Default, TypePath)]
pub(crate) struct TemplateLoader;

impl AssetLoader for TemplateLoader {
    type Asset = TemplateAsset;
    type Settings = ();
    type Error = AssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> std::result::Result<TemplateAsset, AssetError> {
        let file = context.path().to_string();
        let bytes = read_all(reader).await?;
        let source = crate::format::error::decode(&bytes, &file)?.to_owned();
        let name = name_of(&file).to_owned();
        check_template(&name, &source).map_err(|error| located(&error, &file))?;
        Ok(TemplateAsset { name, source })
    }

    fn extensions(&self) -> &[&str] {
        &["hbs"]
    }
}

/// The system that takes templates over when they are loaded or have changed.
pub(crate) fn use_templates(
    mut events: MessageReader<AssetEvent<TemplateAsset>>,
    files: Option<Res<TemplateFiles>>,
    loaded: Res<Assets<TemplateAsset>>,
    templates: Option<ResMut<StageTemplates>>,
) {
    let changed = events.read().count() > 0;
    let files = files.filter(|files| changed || files.is_changed());
    let (Some(files), Some(mut templates)) = (files, templates) else {
        return;
    };
    for template in files.0.iter().filter_map(|file| loaded.get(file)) {
        if let Err(error) = templates.set(&template.name, &template.source) {
            // It was checked when it was loaded.
            log::error!("{error}");
        }
    }
}
