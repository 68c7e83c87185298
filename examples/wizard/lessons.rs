//! The first minutes: one thing to try at a time, and the next one when it has been tried. A player who knows it all already
//! is not held up.

use crate::cast::PLAYER;
use crate::door::Door;
use crate::game::TOWER;
use crate::scene::Steered;
use crate::style::{self, glass};
use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorSettings;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// How long it is quiet before a lesson, in seconds.
const QUIET: f32 = 2.0;

/// What is shown, and when it has been learned.
const LESSONS: [(&str, fn(&Seen) -> bool); 7] = [
    ("W A S D or the arrows: walk a few steps.", |seen| {
        seen.walked > 1.5
    }),
    (
        "Enter: say something. A greeting, perhaps, and your name.",
        |seen| seen.said,
    ),
    (
        "Eldrin keeps the door. Go to it, and ask whether he lets you in.",
        |seen| seen.door_is_open,
    ),
    ("The door is open. Walk in.", |seen| seen.inside),
    (
        "1, 2, 3 ..: what the rules let you do here. Take something.",
        |seen| seen.took,
    ),
    (
        "! brew a potion: what takes many steps takes a plan. Eldrin shows it before he begins.",
        |seen| seen.planned,
    ),
    (
        "F12: why he said that, and everything else about him.",
        |seen| seen.inspected,
    ),
];

/// Adds the lessons.
pub fn plugin(app: &mut App) {
    app.init_resource::<Lessons>()
        .init_resource::<Seen>()
        .add_systems(Update, (watch, next_lesson).chain())
        .add_systems(EguiPrimaryContextPass, show)
        .add_observer(|taken: On<Applied<Take>>, mut seen: ResMut<Seen>| {
            seen.took |= taken.actor == PLAYER;
        })
        .add_observer(|given: On<Applied<Give>>, mut seen: ResMut<Seen>| {
            seen.took |= given.action.to == PLAYER;
        })
        .add_observer(
            |started: On<RunStarted>, runs: Query<&InteractionContext>, mut seen: ResMut<Seen>| {
                let run = runs.get(started.run).ok();
                let speaker = run.and_then(|run| run.speaker.as_deref());
                seen.said |= speaker == Some(PLAYER);
            },
        )
        .add_observer(|_: On<PlanQuestion>, mut seen: ResMut<Seen>| seen.planned = true);
}

/// What the player has done and seen by now.
#[derive(Resource, Default)]
struct Seen {
    last: Option<Vec3>,
    /// How far, in metres.
    walked: f32,
    said: bool,
    door_is_open: bool,
    inside: bool,
    took: bool,
    planned: bool,
    inspected: bool,
}

/// Which lesson is next, and how long it has been quiet.
#[derive(Resource, Default)]
struct Lessons {
    next: usize,
    quiet: f32,
    /// The player does not want to learn this one. The UI may be drawn several times a frame: it notes, and `next_lesson` acts.
    is_skipped: bool,
}

fn watch(
    mut seen: ResMut<Seen>,
    player: Single<(&Transform, &PlacedIn), With<Steered>>,
    doors: Query<&Door>,
    ids: Res<WorldIndex>,
    inspector: Res<InspectorSettings>,
) {
    let (at, placed) = *player;
    let last = seen.last.replace(at.translation).unwrap_or(at.translation);
    seen.walked += last.distance(at.translation);
    seen.door_is_open |= doors.iter().any(|door| door.open);
    seen.inside |= ids.get(TOWER) == Some(placed.0);
    seen.inspected |= inspector.open;
}

fn next_lesson(mut lessons: ResMut<Lessons>, seen: Res<Seen>, time: Res<Time>) {
    lessons.quiet += time.delta_secs();
    if std::mem::take(&mut lessons.is_skipped) {
        lessons.next += 1;
        lessons.quiet = 0.0;
    }
    while LESSONS
        .get(lessons.next)
        .is_some_and(|(_, learned)| learned(&seen))
    {
        lessons.next += 1;
        lessons.quiet = 0.0;
    }
}

fn show(
    mut contexts: EguiContexts,
    mut lessons: ResMut<Lessons>,
    inspector: Res<InspectorSettings>,
) -> Result {
    let Some((words, _)) = LESSONS.get(lessons.next).filter(|_| lessons.quiet > QUIET) else {
        return Ok(());
    };
    // The inspector lies over the right half.
    let (place, offset, wide) = match inspector.open {
        true => (egui::Align2::LEFT_TOP, [14.0, 16.0], 560.0),
        false => (egui::Align2::CENTER_TOP, [0.0, 16.0], 1_000.0),
    };
    egui::Window::new("lesson")
        .title_bar(false)
        .resizable(false)
        .frame(glass())
        .anchor(place, offset)
        .show(contexts.ctx_mut()?, |ui| {
            ui.horizontal(|ui| {
                let words = egui::RichText::new(*words).size(16.0).color(style::HINT);
                ui.set_max_width(wide);
                ui.add(egui::Label::new(words).wrap());
                lessons.is_skipped |= ui.small_button("x").on_hover_text("Skip this").clicked();
            });
        });
    Ok(())
}
