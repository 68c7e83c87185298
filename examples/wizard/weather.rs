//! The weather: a fact of the judged world, which the game turns.

use crate::door::{Door, Happens};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// What falls out of the sky. A storm throws the bar, too.
#[derive(Resource, Default)]
pub struct Weather {
    storm: bool,
}

impl Weather {
    pub fn is_storm(&self) -> bool {
        self.storm
    }
}

/// Makes the weather part of the judged world.
pub fn plugin(app: &mut App) {
    app.init_resource::<Weather>()
        .bind_world_fact::<Weather>("weather", |w| if w.storm { "storm" } else { "rain" }.into());
}

/// A storm rises, or dies down and lets go of the bar.
pub fn turn_weather(
    mut commands: Commands,
    mut weather: ResMut<Weather>,
    mut doors: Query<&mut Door>,
) {
    weather.storm = !weather.storm;
    if weather.storm {
        commands.trigger(Happens("A storm rises, and the bar of the door rattles."));
        return;
    }
    commands.trigger(Happens("The storm dies down, and the bar hangs loose."));
    for mut door in &mut doors {
        door.barred = false;
    }
}
