//! What characters say goes into the log and over their heads.

use super::{Talk, Who};
use crate::gossip::Says;
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(hear_sentence)
        .add_observer(hear_line)
        .add_observer(|thinking: On<ThinkingLine>, mut talk: ResMut<Talk>| {
            talk.hang(thinking.entity, &thinking.line);
        })
        .add_observer(|says: On<Says>, names: Names, mut talk: ResMut<Talk>| {
            talk.note(Who::Npc(names.of_entity(says.who)), &says.line);
            talk.hang(says.who, &says.line);
        });
}

/// The bubble grows with each sentence.
fn hear_sentence(spoke: On<SpokeSentence>, mut talk: ResMut<Talk>) {
    match talk.bubbles.get_mut(&spoke.entity) {
        Some(bubble) if spoke.index > 0 => {
            bubble.words.push(' ');
            bubble.words.push_str(&spoke.sentence);
        }
        _ => talk.hang(spoke.entity, &spoke.sentence),
    }
}

/// In the end the whole line is noted.
fn hear_line(spoke: On<Spoke>, names: Names, mut talk: ResMut<Talk>) {
    talk.last_run = spoke.run;
    if spoke.line.is_empty() {
        return;
    }
    talk.add(Who::Npc(names.of(&spoke.npc)), &spoke.line, spoke.run);
    // What hangs there already does not come once more.
    let words = spoke.line.split_whitespace();
    let hangs = talk.bubbles.get(&spoke.entity);
    if hangs.is_none_or(|bubble| !bubble.words.split_whitespace().eq(words)) {
        talk.hang(spoke.entity, &spoke.line);
    }
}
