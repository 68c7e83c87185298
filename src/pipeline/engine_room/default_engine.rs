//! Another default engine while the game runs.

use super::identify::identify_engines;
use crate::engine::{DefaultEngine, SharedEngine};
use crate::pipeline::engine_room::forget_engine;
use bevy::prelude::*;

/// Another engine for a running game, from any system. A settings menu calls it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// use std::sync::Arc;
///
/// fn be_silent(mut commands: Commands) {
///     commands.set_default_engine(Arc::new(ScriptedEngine::silent()));
/// }
/// # World::new().run_system_cached(be_silent)?;
/// # Ok::<(), BevyError>(())
/// ```
pub trait EngineCommandsExt {
    /// Lets another engine serve all runs that start from now on and for which no other one is named (see `Engines`).
    ///
    /// Runs that have started keep the engine that they have, and their calls go on. Nothing that the old engine did counts
    /// against the new one: it is asked at once, even if the old one has failed too often. [`ModelChanged`] says that another
    /// model answers. Sealed runs keep what the app was built with.
    ///
    /// [`ModelChanged`]: crate::events::ModelChanged
    fn set_default_engine(&mut self, engine: SharedEngine);
}

impl EngineCommandsExt for Commands<'_, '_> {
    fn set_default_engine(&mut self, engine: SharedEngine) {
        self.queue(move |world: &mut World| set_default_engine(world, engine));
    }
}

fn set_default_engine(world: &mut World, engine: SharedEngine) {
    match world.get_resource_mut::<DefaultEngine>() {
        // The identity is left for the next line to compare.
        Some(mut default) => {
            let old = std::mem::replace(&mut default.engine, engine);
            // To end a server takes time that no frame has. Where no thread can be had, it ends here.
            let _ = std::thread::Builder::new().spawn(move || drop(old));
        }
        None => world.insert_resource(DefaultEngine::new(engine)),
    }
    identify_engines(world);
    forget_engine(world, None);
}
