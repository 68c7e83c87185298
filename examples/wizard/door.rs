//! The door: data of the game, which the rulebook reads and writes where it is.

use crate::cast::WIZARD;
use crate::weather::Weather;
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

/// Something happens without an actor.
#[derive(Event)]
pub struct Happens(pub &'static str);

/// Makes the door part of the judged world.
pub fn plugin(app: &mut App) {
    app.bind_attribute::<Door>("open", |d| d.open.into(), |d, v| d.open = v.truthy())
        .bind_attribute::<Door>("locked", |d| d.locked.into(), |d, v| d.locked = v.truthy())
        .bind_attribute::<Door>("barred", |d| d.barred.into(), |d, v| d.barred = v.truthy())
        // Every door of the story gets this game's component, set as the story has it.
        .attach::<Door>("door")
        // After a reply was judged and before it is committed: what was right when it was judged may be wrong by then, so the
        // commit judges again.
        .add_systems(
            Update,
            throw_bar
                .run_if(|weather: Res<Weather>| weather.is_storm())
                .after(PipelineSystems::Validation)
                .before(PipelineSystems::Mutation),
        );
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
