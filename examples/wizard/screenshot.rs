//! A short visit that ends with a picture: the smoke test of the window.

use crate::talk::Talk;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_dramatis::inspector::Selection;
use bevy_dramatis::prelude::*;
use std::path::PathBuf;

/// What is said and done, in order, each after the last answer.
const LINES: [&str; 6] = [
    "Would you let me in?",
    "> go to the tower",
    "May I borrow the key?",
    "Tell me the secret of this tower.",
    // He has one, and sees another: the picture shows the question back.
    "> take the key",
    // His plan, with the question whether he may.
    "! brew a potion",
];
/// Seconds between an answer and what follows: for the door to swing. A slow machine draws few frames in them.
const PAUSE: f32 = 3.0;
/// No visit takes longer.
const MOST_FRAMES: u32 = 3_000;

#[derive(Resource)]
struct Visit {
    path: PathBuf,
    said: usize,
    answers: usize,
    /// Seconds since the last answer.
    quiet: f32,
    frames: u32,
}

/// Lets the app visit the wizard, take a picture, and leave: with an error if there is no picture.
pub fn take(app: &mut App, path: PathBuf) {
    // An old picture must not pass for a new one.
    let _ = std::fs::remove_file(&path);
    app.insert_resource(Visit {
        path,
        said: 0,
        answers: 0,
        quiet: 0.0,
        frames: 0,
    })
    .add_systems(Update, go_on)
    .add_observer(|_: On<Spoke>, mut visit: ResMut<Visit>| visit.answered())
    .add_observer(|_: On<TurnEnded>, mut visit: ResMut<Visit>| visit.answered())
    .add_observer(|_: On<PlanQuestion>, mut visit: ResMut<Visit>| visit.answered());
}

impl Visit {
    fn answered(&mut self) {
        self.answers += 1;
        self.quiet = 0.0;
    }
}

fn go_on(
    mut commands: Commands,
    mut visit: ResMut<Visit>,
    mut talk: ResMut<Talk>,
    mut selection: ResMut<Selection>,
    mut exit: MessageWriter<AppExit>,
    time: Res<Time>,
) {
    visit.frames += 1;
    if visit.frames > MOST_FRAMES {
        exit.write(AppExit::error());
    }
    // The first answer is to the knocking.
    if visit.answers <= visit.said {
        return;
    }
    let before = visit.quiet;
    visit.quiet += time.delta_secs();
    if before >= PAUSE || visit.quiet < PAUSE {
        return;
    }
    if let Some(line) = LINES.get(visit.said) {
        visit.said += 1;
        // The inspector shows the attempt that the gate rejected.
        selection.attempt = Some(0);
        talk.outgoing = Some((*line).to_owned());
    } else {
        let path = visit.path.clone();
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(visit.path.clone()))
            .observe(move |_: On<ScreenshotCaptured>, mut commands: Commands| {
                let path = path.clone();
                // When commands are applied, both observers have run.
                commands.queue(move |world: &mut World| {
                    let saved = path.exists();
                    world.write_message(if saved {
                        AppExit::Success
                    } else {
                        AppExit::error()
                    });
                });
            });
    }
}
