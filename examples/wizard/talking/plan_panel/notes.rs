//! What the log says of a plan.

use super::Shown;
use crate::talking::talk::{Talk, Who};
use bevy::prelude::*;
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::plans::PlanStatus;
use bevy_dramatis::prelude::*;

/// How long a plan that is over is shown, in seconds.
const LINGER: f32 = 10.0;

/// Adds the notes.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(note_question)
        .add_observer(note_step)
        .add_observer(note_end);
}

/// The line in the log leads to the run that wrote the plan.
fn note_question(
    question: On<PlanQuestion>,
    plans: Res<Plans>,
    runs: Query<(Entity, &Run)>,
    mut talk: ResMut<Talk>,
) {
    if question.status != PlanStatus::Pending {
        return;
    }
    let written = plans.get(question.plan).and_then(|plan| plan.runs.last());
    let run = runs.iter().find(|(_, run)| Some(&run.number()) == written);
    let line = "Eldrin has a plan, and asks whether he may.";
    talk.add(Who::Nobody, line, run.map(|(entity, _)| entity));
}

fn note_step(done: On<StepDone>, plans: Res<Plans>, mut talk: ResMut<Talk>) {
    let plan = plans.get(done.plan);
    let step = plan.and_then(|plan| plan.steps.iter().find(|step| step.id == done.step));
    if let Some(step) = step {
        talk.note(Who::Nobody, &format!("Eldrin at work: {}", step.why));
    }
}

fn note_end(
    ended: On<PlanEnded>,
    plans: Res<Plans>,
    mut shown: ResMut<Shown>,
    mut talk: ResMut<Talk>,
) {
    shown.left = LINGER;
    // What the rulebook said of the step that failed. The panel shows the rest.
    let steps = plans.get(ended.plan).map(|plan| &plan.steps);
    let why = steps.and_then(|steps| steps.iter().find_map(|step| step.message.as_deref()));
    let line = match why {
        Some(why) => format!("{}: {why}.", in_words(ended.status)),
        None => format!("{}.", in_words(ended.status)),
    };
    talk.note(Who::Nobody, &line);
}

/// How far a plan has come, or how it has ended.
pub(super) fn in_words(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Done => "It is done",
        PlanStatus::RolledBack => "Eldrin stops and puts everything back",
        PlanStatus::Denied => "The plan may not be carried out",
        PlanStatus::Rejected => "Eldrin knows no plan for that",
        PlanStatus::Expired => "The plan waited too long: things are no longer as they were",
        PlanStatus::Blocked => "The plan was made by another model",
        PlanStatus::Running | PlanStatus::Ready => "Eldrin is at work",
        _ => "Nothing comes of the plan",
    }
}
