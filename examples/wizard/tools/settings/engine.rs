//! How the chosen engine takes the place of the one that answers now.

use super::Settings;
use crate::problems::{Server, short};
use bevy::prelude::*;
use bevy_dramatis::authoring::ScriptAsset;
use bevy_dramatis::engine::{EngineSetupError, FromEnv, SharedEngine};
use bevy_dramatis::prelude::*;
use std::env::{VarError, var};
use std::sync::Arc;

/// Puts the chosen engine in the place of the one that answers now.
pub(super) fn use_engine(world: &mut World) -> Result<(), String> {
    let settings = world.resource::<Settings>();
    let (engine, server) = if settings.server {
        (server_engine(settings)?, Server::at(&settings.url))
    } else {
        let scripts = world.resource::<Assets<ScriptAsset>>();
        let script = scripts.get(&settings.script);
        let script = script.ok_or("The authored lines are not loaded.")?;
        let engine = ScriptedEngine::new(&script.0);
        let engine = engine.map_err(|error| format!("The authored lines are wrong: {error}."))?;
        (Arc::new(engine) as SharedEngine, Server::at(""))
    };
    // What was wrong with the old one is not wrong with this one.
    world.insert_resource(server);
    world.commands().set_default_engine(engine);
    Ok(())
}

/// The server that was typed in. Its key, and how it takes schemas, are as the environment says.
fn server_engine(settings: &Settings) -> Result<SharedEngine, String> {
    let typed = FromEnv::from_lookup(|name| match name {
        "DRAMATIS_URL" => Ok(Some(settings.url.clone())),
        "DRAMATIS_MODEL" => Ok(Some(settings.model.clone())),
        "DRAMATIS_SERVER" | "DRAMATIS_GGUF" => Ok(None),
        // The key is for the server that the environment names, and for no other.
        "DRAMATIS_API_KEY" if var("DRAMATIS_URL").is_ok_and(|own| own != settings.url) => Ok(None),
        name => match var(name) {
            Err(VarError::NotUnicode(_)) => Err(EngineSetupError::NotUnicode(name)),
            value => Ok(value.ok()),
        },
    });
    match typed.engine() {
        Some(Ok(engine)) => Ok(engine),
        Some(Err(error)) => {
            let why = short(&error.to_string());
            Err(format!("This server cannot be used: {why}."))
        }
        None => Err("Type the address of a server first.".to_owned()),
    }
}
