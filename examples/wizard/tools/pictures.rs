//! A short visit that takes pictures: the smoke test of the window, and the pictures of the docs. It is played in low quality; each
//! picture is taken in the one that is asked for, which takes a processor seconds a frame.

mod pace;
mod script;
mod stage;
mod step;

use crate::looks::Quality;
use bevy::prelude::*;
use bevy_dramatis::base::ManualClock;
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::journal::MemoryJournalPlugin;
use bevy_dramatis::prelude::*;
use std::path::PathBuf;

/// Seconds between an answer and what follows: for the door to swing. A slow machine draws few frames in them.
const PAUSE: f32 = 2.5;
/// Frames between a panel's first and its picture: egui measures first.
const SETTLED: u32 = 4;

#[derive(Resource)]
struct Visit {
    /// The folder of the pictures.
    folder: PathBuf,
    /// How many steps are done.
    done: usize,
    /// How many answers must come, and have come, before the next step.
    awaited: usize,
    answers: usize,
    /// Seconds since the last answer.
    quiet: f32,
    /// Frames since the last step.
    frames: u32,
    /// The quality in which pictures are taken.
    quality: Quality,
    /// The picture that is to be taken in that quality, and whether it is being taken; `None`: none.
    next_picture: Option<(&'static str, bool)>,
}

/// Lets the app visit the wizard, take pictures of this quality into a folder, and leave: with an error if one is missing.
pub fn take(app: &mut App, folder: PathBuf, quality: Quality) {
    app.add_plugins(MemoryJournalPlugin)
        // Bryn stays in the yard until the visit says so.
        .insert_resource(ManualClock)
        .insert_resource(Quality::Low)
        .insert_resource(Visit {
            folder,
            done: 0,
            // The first is to the knocking.
            awaited: 1,
            answers: 0,
            quiet: 0.0,
            frames: 0,
            quality,
            next_picture: None,
        })
        .add_systems(Update, pace::go_on)
        .add_observer(|_: On<Spoke>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<TurnEnded>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<AdventureTurnEnded>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<PlanQuestion>, mut visit: ResMut<Visit>| visit.answered());
}

impl Visit {
    fn answered(&mut self) {
        self.answers += 1;
        self.quiet = 0.0;
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("png")
    }

    fn is_settled(&self) -> bool {
        self.answers >= self.awaited && self.quiet >= PAUSE && self.frames >= SETTLED
    }
}
