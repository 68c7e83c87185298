//! The address of a server, whose model answers from then on. The server must allow the page: `docs/web.md`. Also: why there is no
//! answer.

use crate::page::{Asked, note, show};
use bevy::prelude::*;
use bevy_dramatis::engine::HttpConfig;
use bevy_dramatis::prelude::*;
use serde_json::json;
use std::sync::Arc;

pub fn plugin(app: &mut App) {
    app.add_observer(ask_another)
        .add_observer(|failed: On<AttemptFailed>| {
            if let Some(message) = &failed.message {
                note("problem", &format!("No model has answered: {message}."));
            }
        })
        .add_observer(|refused: On<RequestRefused>| {
            note("problem", &format!("That cannot be: {}.", refused.error));
        });
}

/// The words are the address and the model's name, as a list in JSON.
fn ask_another(asked: On<Asked>, mut commands: Commands) {
    if asked.what != "server" {
        return;
    }
    let [url, model]: [String; 2] = serde_json::from_str(&asked.words).unwrap_or_default();
    match HttpEngine::new(HttpConfig::new(&url, &model)) {
        Ok(engine) => {
            show("model", json!(format!("{model} at {url} answers.")));
            commands.set_default_engine(Arc::new(engine));
        }
        Err(error) => note("problem", &format!("This server cannot be used: {error}.")),
    }
}
