//! The lines of a talk: she says the first one, and each is heard after a pause.

use super::Says;
use super::pair::Pair;
use super::progress::{Gossip, Line, Step};
use crate::cast::{GARDENER, WIZARD};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// What she says first, one after the other. The script knows what they answer.
const OPENINGS: [&str; 3] = [
    "The cat sat under your window all evening. What did you two talk about?",
    "Somebody has moved the old chair by the window. I saw it from the beds.",
    "Your soup smells as far as the well. Or is it one of your experiments?",
];
/// Seconds after which she does not wait for an answer any more.
const WAIT_FOR_ANSWER: f32 = 60.0;

/// Adds the lines.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take_next_step);
}

/// Does what follows when the time of a step is over.
fn take_next_step(mut gossip: ResMut<Gossip>, pair: Pair, time: Res<Time>, mut commands: Commands) {
    if gossip.is_over() {
        return;
    }
    gossip.left -= time.delta_secs();
    if matches!(gossip.step, Some(Step::WalkingUp)) && pair.can_talk() {
        open_talk(&mut gossip, &pair, &mut commands);
    } else if gossip.left <= 0.0
        && let Some(Step::Said(line)) = gossip.step.take()
    {
        if let (Some(hearer), Some(speaker)) = (pair.ids.get(line.hearer()), pair.ids.get(line.by))
        {
            commands.entity(hearer).hear(speaker, line.text.as_str());
        }
        gossip.goes_to(Step::Heard(line), WAIT_FOR_ANSWER);
    }
}

/// She says the first line.
fn open_talk(gossip: &mut Gossip, pair: &Pair, commands: &mut Commands) {
    let text = OPENINGS[gossip.talks % OPENINGS.len()].to_owned();
    gossip.talks += 1;
    if let (Some(who), Some(to)) = (pair.ids.get(GARDENER), pair.ids.get(WIZARD)) {
        let line = text.clone();
        commands.trigger(Says { who, to, line });
    }
    let (by, number) = (GARDENER, 1);
    let pause = gossip.pause;
    gossip.goes_to(Step::Said(Line { by, text, number }), pause);
}
