//! What the two answer each other, until the talk is over.

use super::MOST_LINES;
use super::progress::{Gossip, Line, Step};
use crate::game::PlayerSpeaks;
use bevy::prelude::*;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// Adds the answers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(pass_on).add_observer(fall_silent);
}

/// An answer is the next line, until there were enough.
fn pass_on(spoke: On<Spoke>, mut gossip: ResMut<Gossip>, runs: Query<&InteractionContext>) {
    let Some(Step::Heard(line)) = &gossip.step else {
        return;
    };
    let run = spoke.run.and_then(|run| runs.get(run).ok());
    let answers = run.and_then(|run| run.speaker.as_ref());
    let by = line.hearer();
    if spoke.npc != by || answers.is_none_or(|speaker| *speaker != line.by) {
        return;
    }
    let number = line.number + 1;
    if number >= MOST_LINES || spoke.line.is_empty() {
        gossip.step = None;
    } else {
        let (text, pause) = (spoke.line.clone(), gossip.pause);
        gossip.goes_to(Step::Said(Line { by, text, number }), pause);
    }
}

/// When the player says something, the talk of the two is over: what is not yet answered is dropped.
fn fall_silent(
    _: On<PlayerSpeaks>,
    mut gossip: ResMut<Gossip>,
    ids: Res<WorldIndex>,
    mut commands: Commands,
) {
    if let Some(Step::Heard(line)) = gossip.step.take()
        && let Some(hearer) = ids.get(line.hearer())
    {
        commands.entity(hearer).cancel_run();
    }
}
