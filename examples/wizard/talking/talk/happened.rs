//! What happens and what is told goes into the log.

use super::{Talk, Who};
use crate::door::Happens;
use crate::tale::{NotTold, Tells};
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::pipeline::{ApprovedIntents, InteractionContext};
use bevy_dramatis::prelude::*;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(note_start)
        .add_observer(note_intents)
        .add_observer(|happens: On<Happens>, mut talk: ResMut<Talk>| {
            talk.note(Who::Nobody, happens.0);
        })
        .add_observer(|tells: On<Tells>, mut talk: ResMut<Talk>| {
            talk.add(Who::Narrator, &tells.text, tells.run);
        })
        .add_observer(|told: On<NotTold>, mut talk: ResMut<Talk>| {
            talk.note(Who::Problem, &told.why);
        });
}

/// What was said is noted when it is sent; what happened, now.
fn note_start(started: On<RunStarted>, runs: Query<&InteractionContext>, mut talk: ResMut<Talk>) {
    let run = runs.get(started.run).ok();
    if let Some(prompt) = run.and_then(|run| run.prompt.as_ref()) {
        talk.note(Who::Nobody, prompt);
    }
}

fn note_intents(
    ended: On<RunEnded>,
    runs: Query<&ApprovedIntents>,
    names: Names,
    mut talk: ResMut<Talk>,
) {
    for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
        let line = format!("{}: {}", names.of(&ended.npc), names.action(intent));
        talk.note(Who::Nobody, &line);
    }
}
