//! The first minutes: one thing to try at a time, and the next one when it has been tried. A player who knows it all already
//! is not held up.

mod panel;
mod seen;

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use seen::Seen;

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
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Lessons>()
        .add_plugins(seen::plugin)
        .add_systems(Update, (seen::watch, next_lesson).chain())
        .add_systems(EguiPrimaryContextPass, panel::show);
}

/// Which lesson is next, and how long it has been quiet.
#[derive(Resource, Default)]
struct Lessons {
    next: usize,
    quiet: f32,
    /// The player does not want to learn this one. The UI may be drawn several times a frame: it notes, and `next_lesson` acts.
    is_skipped: bool,
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
