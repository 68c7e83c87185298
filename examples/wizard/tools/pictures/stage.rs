//! How a step of the visit is taken.

use super::Visit;
use super::step::Step::{self, Attempt, Check, Close, Look, Say, Storm, Take, Until};
use crate::looks::Quality;
use crate::talking::Talk;
use crate::weather;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_dramatis::base::{DramatisClock, Millis};
use bevy_dramatis::inspector::{InspectorSettings, Selection};
use bevy_dramatis::world::WorldView;
use std::path::PathBuf;

/// What the steps set.
#[derive(SystemParam)]
pub(super) struct Stage<'w, 's> {
    commands: Commands<'w, 's>,
    pub(super) quality: ResMut<'w, Quality>,
    talk: ResMut<'w, Talk>,
    selection: ResMut<'w, Selection>,
    inspector: ResMut<'w, InspectorSettings>,
    clock: ResMut<'w, DramatisClock>,
}

impl Stage<'_, '_> {
    /// Takes a step.
    pub(super) fn take(&mut self, step: Step, visit: &mut Visit) {
        match step {
            Say(line) => {
                visit.awaited = visit.answers + 1;
                self.inspector.open = false;
                self.talk.outgoing = Some(line.to_owned());
            }
            Until(time, answers) => {
                visit.awaited = visit.answers + answers;
                // A step takes a few seconds.
                self.clock.game = time.after(Millis(10_000));
            }
            Storm => self.commands.run_system_cached(weather::turn_weather),
            Close => self.inspector.open = false,
            Look(tab) => {
                self.inspector.open = true;
                *self.selection = Selection::default();
                self.selection.tab = Some(tab);
            }
            Attempt(attempt) => self.selection.attempt = Some(attempt),
            Check(what, holds) => self.commands.queue(move |world: &mut World| {
                if !holds(&WorldView::new(world).to_state()) {
                    error!("this does not hold: {what}");
                    world.write_message(AppExit::error());
                }
            }),
            Take(name) if visit.quality == Quality::Low => self.picture(visit.file(name)),
            Take(name) => {
                // An old picture must not pass for a new one.
                let _ = std::fs::remove_file(visit.file(name));
                *self.quality = visit.quality;
                visit.next_picture = Some((name, false));
            }
        }
    }

    /// Takes a picture.
    pub(super) fn picture(&mut self, file: PathBuf) {
        // An old picture must not pass for a new one.
        let _ = std::fs::remove_file(&file);
        self.commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(file));
    }
}
