//! When the next step of the visit is taken: when the answer is there and all of it was drawn.

use super::Visit;
use super::script::VISIT;
use super::stage::Stage;
use super::step::Step;
use crate::looks::Quality;
use bevy::prelude::*;

/// Frames until everything is drawn in another quality.
const REDRAWN: u32 = 6;
/// No visit takes more seconds.
const LONGEST: f32 = 400.0;

/// Goes on with the visit, and leaves at its end.
pub(super) fn go_on(
    mut visit: ResMut<Visit>,
    mut stage: Stage,
    mut exit: MessageWriter<AppExit>,
    time: Res<Time>,
) {
    if time.elapsed_secs() > LONGEST {
        exit.write(AppExit::error());
        return;
    }
    visit.frames += 1;
    visit.quiet += time.delta_secs();
    match visit.next_picture {
        None => {}
        Some((name, false)) if visit.frames >= REDRAWN => {
            stage.picture(visit.file(name));
            visit.next_picture = Some((name, true));
            return;
        }
        Some((name, true)) if visit.file(name).exists() => {
            stage.quality.set_if_neq(Quality::Low);
            visit.next_picture = None;
        }
        Some(_) => return,
    }
    if !visit.is_settled() {
        return;
    }
    let Some(step) = VISIT.get(visit.done) else {
        // One that is still being taken is waited for.
        let is_there = |step: &Step| match step {
            Step::Take(name) => visit.file(name).exists(),
            _ => true,
        };
        if VISIT.iter().all(is_there) {
            exit.write(AppExit::Success);
        }
        return;
    };
    visit.done += 1;
    visit.frames = 0;
    stage.take(*step, &mut visit);
}
