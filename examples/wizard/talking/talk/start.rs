//! How a visit begins: the traveller knocks.

use super::{Talk, Who};
use crate::{cast, weather};
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::engine::DefaultEngine;
use bevy_dramatis::prelude::*;

/// Adds the beginning, and the key for a storm.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        weather::turn_weather.run_if(input_just_pressed(KeyCode::F2)),
    )
    // The traveller knocks as soon as everything is there.
    .add_systems(
        Last,
        (hint_at_models, cast::knock)
            .chain()
            .run_if(dramatis_ready.and_then(run_once)),
    );
}

/// Without a model the characters know what is written in their script, and the game says so.
fn hint_at_models(engine: Res<DefaultEngine>, mut talk: ResMut<Talk>) {
    if engine.identity.provider == "scripted" {
        talk.note(
            Who::Nobody,
            "The characters speak authored lines. F3 names a server, and a model speaks for them.",
        );
    }
}
