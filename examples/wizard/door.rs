//! The door and the weather: data of the game, which the rulebook reads and writes where they are.

use crate::cast::WIZARD;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// A door, as any game has one.
#[derive(Component, Debug, Default)]
pub struct Door {
    pub open: bool,
    pub locked: bool,
    /// No key lifts a bar.
    pub barred: bool,
}

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

/// Something happens without an actor.
#[derive(Event)]
pub struct Happens(pub &'static str);

/// Makes door and weather part of the judged world.
pub fn plugin(app: &mut App) {
    app.init_resource::<Weather>()
        .bind_attribute::<Door>("open", |d| d.open.into(), |d, v| d.open = v.truthy())
        .bind_attribute::<Door>("locked", |d| d.locked.into(), |d, v| d.locked = v.truthy())
        .bind_attribute::<Door>("barred", |d| d.barred.into(), |d, v| d.barred = v.truthy())
        .bind_world_fact::<Weather>("weather", |w| if w.storm { "storm" } else { "rain" }.into())
        // Every door of the story gets this game's component, set as the story has it.
        .attach::<Door>("door")
        // After a reply was judged and before it is committed: what was right when it was judged may be wrong by then, so the
        // commit judges again.
        .add_systems(
            Update,
            throw_bar
                .run_if(|weather: Res<Weather>| weather.storm)
                .after(PipelineSystems::Validation)
                .before(PipelineSystems::Mutation),
        );
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

/// While the wizard thinks, the world goes on: a shut door gets barred. If he was about to open it, he finds that out.
fn throw_bar(
    mut commands: Commands,
    mut doors: Query<&mut Door>,
    thinkers: Query<(), With<Thinking>>,
    ids: Res<WorldIndex>,
) {
    if !ids
        .get(WIZARD)
        .is_some_and(|wizard| thinkers.contains(wizard))
    {
        return;
    }
    for mut door in &mut doors {
        if !door.open && !door.barred {
            door.barred = true;
            commands.trigger(Happens("The wind throws the bar across the door."));
        }
    }
}
