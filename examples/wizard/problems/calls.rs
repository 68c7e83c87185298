//! What calls tell of the server: each attempt, each run, and what the engine says of itself.

use super::server::Server;
use super::trouble::Trouble;
use super::{short, tell};
use crate::talking::Talk;
use bevy::prelude::*;
use bevy_dramatis::engine::{BreakerState, DefaultEngine, EngineStatus, RunEngine};
use bevy_dramatis::events::{BreakerChanged, CallRefusal, CallRefused, EngineStatusChanged};
use bevy_dramatis::prelude::*;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(note_refused_call)
        .add_observer(note_failed_attempt)
        .add_observer(note_status)
        .add_observer(note_breaker)
        .add_observer(note_accepted);
}

fn note_refused_call(refused: On<CallRefused>, mut server: ResMut<Server>, mut talk: ResMut<Talk>) {
    server.refused = Some(refused.run);
    // The other reasons were told when they arose.
    if refused.reason == CallRefusal::TooLate {
        let line = "There are more questions than can be answered in time: wait a moment.";
        tell(&mut talk, line);
    }
}

fn note_failed_attempt(
    failed: On<AttemptFailed>,
    runs: Query<&RunEngine>,
    default: Res<DefaultEngine>,
    mut server: ResMut<Server>,
    mut talk: ResMut<Talk>,
) {
    let was_refused = server.refused.take() == Some(failed.run);
    // A script is not a server, and a server that was replaced does not matter any more.
    let matters = runs.get(failed.run).is_ok_and(|engine| {
        engine.is_default(&default) && engine.identity().provider != "scripted"
    });
    if was_refused || !matters {
        return;
    }
    match failed.error {
        // There was a reply, which the gate rejected.
        None => server.answers(&mut talk),
        Some(error) => {
            let message = failed.message.as_deref().unwrap_or_default();
            server.fails(Trouble::of(error, message), &mut talk);
        }
    }
}

fn note_status(
    changed: On<EngineStatusChanged>,
    mut server: ResMut<Server>,
    mut talk: ResMut<Talk>,
) {
    match &changed.status {
        _ if changed.engine.is_some() => {}
        EngineStatus::Ready => server.answers(&mut talk),
        EngineStatus::Starting(why) | EngineStatus::Down(why) => {
            server.fails(Trouble::NotReady(short(why)), &mut talk);
        }
    }
}

fn note_breaker(changed: On<BreakerChanged>, mut server: ResMut<Server>, mut talk: ResMut<Talk>) {
    if changed.engine.is_none() && changed.state == BreakerState::Closed {
        server.answers(&mut talk);
    }
}

fn note_accepted(ended: On<RunEnded>, mut server: ResMut<Server>, mut talk: ResMut<Talk>) {
    if matches!(ended.outcome, Outcome::Accepted { .. }) {
        server.answers(&mut talk);
    }
}
