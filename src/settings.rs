//! Settings that a save keeps: how a game does things, not what has happened in it.
//!
//! The plugin of each feature adds its settings once. The journal, saves, replays and `dramatis regate` go through this list. They
//! contain no code for a particular setting.

use crate::base::canonical::to_canonical;
use crate::base::resource_ticks::FindId;
use bevy::prelude::*;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error};
use serde_json::Value;

/// When a setting of a file takes the place of the game's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComesBack {
    /// When a save is loaded, and in a replay.
    WithSave,
    /// In a replay alone: a running game keeps its own.
    InReplay,
}

/// One setting.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    /// Its name in files.
    pub name: &'static str,
    pub comes_back: ComesBack,
    /// Whether every file holds it. Another one is left out where it has its first value.
    pub is_required: bool,
    /// The resource to watch.
    pub find: FindId,
    /// What is written to a file; `None`: it is left out.
    pub write: fn(&World) -> Option<Value>,
    /// Whether it can be read.
    pub check: fn(&Value) -> serde_json::Result<()>,
    /// Puts it into a game; `None`: the file has left it out.
    pub put: fn(&mut World, Option<&Value>),
}

impl Setting {
    /// A setting that is a resource, left out of files where it has its first value.
    fn of<S>(name: &'static str) -> Self
    where
        S: Resource + Default + PartialEq + Serialize + DeserializeOwned,
    {
        Self {
            name,
            comes_back: ComesBack::WithSave,
            is_required: false,
            find: World::component_id::<S>,
            write: |world| {
                let setting = world.get_resource::<S>()?;
                (*setting != S::default()).then(|| serde_json::to_value(setting).ok())?
            },
            check: |value| S::deserialize(value).map(|_| ()),
            put: |world, value| {
                let read = value.and_then(|value| S::deserialize(value).ok());
                world.insert_resource(read.unwrap_or_default());
            },
        }
    }

    /// A setting that is a resource, and is in every file.
    pub(crate) fn required<S>(name: &'static str, comes_back: ComesBack) -> Self
    where
        S: Resource + Default + PartialEq + Serialize + DeserializeOwned,
    {
        Self {
            comes_back,
            is_required: true,
            write: |world| serde_json::to_value(world.get_resource::<S>()?).ok(),
            ..Self::of::<S>(name)
        }
    }

    /// What is written to a file. A value with a fraction has no canonical form, and is left out.
    pub(crate) fn written(&self, world: &World) -> Option<Value> {
        let value = (self.write)(world)?;
        if to_canonical(&value).is_err() {
            log::error!(
                "the setting \"{}\" is not saved: it holds a number with a fraction",
                self.name
            );
            return None;
        }
        Some(value)
    }

    /// Whether what a file holds can be put into a game.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn check(&self, value: Option<&Value>) -> serde_json::Result<()> {
        match value {
            Some(value) => (self.check)(value),
            None if self.is_required => Err(serde_json::Error::custom("it is missing")),
            None => Ok(()),
        }
    }
}

/// All settings that a save keeps.
#[derive(Resource, Default, Clone)]
pub(crate) struct SettingRegistry(Vec<Setting>);

impl SettingRegistry {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Setting> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Adds a setting. The first one of a name counts.
pub(crate) fn add(app: &mut App, setting: Setting) {
    let mut registry = app.world_mut().get_resource_or_init::<SettingRegistry>();
    if registry.iter().any(|known| known.name == setting.name) {
        log::warn!(
            "another setting has the name \"{}\": this one is not saved. Give it another name",
            setting.name
        );
        return;
    }
    registry.0.push(setting);
}

/// Adds a resource as a setting: it is left out of files where it has its first value, and comes back with a save.
pub(crate) fn add_resource<S>(app: &mut App, name: &'static str)
where
    S: Resource + Default + PartialEq + Serialize + DeserializeOwned,
{
    app.init_resource::<S>();
    add(app, Setting::of::<S>(name));
}
