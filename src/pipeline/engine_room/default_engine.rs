//! Another default engine while the game runs.

use super::identify::identify_engines;
use crate::engine::{DefaultEngine, SharedEngine};
use crate::pipeline::engine_room::forget_engine;
use bevy::prelude::*;

/// Lets another engine serve all runs that start from now on and for which no other one is named (see
/// `Engines`). A settings menu calls it.
///
/// Runs that have started keep the engine that they have, and their calls go on. Nothing that the old engine did counts
/// against the new one: it is asked at once, even if the old one has failed too often. [`ModelChanged`] says that another
/// model answers. Sealed runs keep what the app was built with.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::pipeline::set_default_engine;
/// use bevy_dramatis::prelude::*;
/// use std::sync::Arc;
///
/// fn be_silent(world: &mut World) {
///     set_default_engine(world, Arc::new(ScriptedEngine::silent()));
/// }
/// # be_silent(&mut World::new());
/// ```
///
/// [`ModelChanged`]: crate::events::ModelChanged
pub fn set_default_engine(world: &mut World, engine: SharedEngine) {
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
