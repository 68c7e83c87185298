//! The player's actions, in the window: their results, the question back, and what can be done now.

mod buttons;
mod choose;

pub use buttons::{menu, question};

use super::talk::{Talk, Who};
use crate::cast::PLAYER;
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Clarification, ProposedAction};

/// Adds the actions.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Actions>()
        .add_plugins(choose::plugin)
        .add_observer(ask_back)
        .add_observer(|_: On<GameLoaded>, mut actions: ResMut<Actions>| actions.question = None)
        .add_observer(tell);
}

/// What the player can choose.
#[derive(Resource, Default)]
pub struct Actions {
    /// Which one is meant?
    question: Option<Clarification>,
    /// What can be done now, in words.
    offered: Vec<(String, ProposedAction)>,
    /// What was clicked and not yet done. The UI may be drawn several times a frame: it notes, and `choose` acts.
    chosen: Option<Choice>,
}

enum Choice {
    /// This one is meant, by id.
    Answer(String),
    /// This is to be done.
    Action(ProposedAction),
}

/// Something that was asked for can mean several things.
fn ask_back(asked: On<ClarificationNeeded>, mut actions: ResMut<Actions>) {
    if asked.actor == PLAYER && !asked.clarification.options.is_empty() {
        actions.question = Some(asked.clarification.clone());
    }
}

/// The result of the player's turn. A question that it did not ask is no longer open.
fn tell(ended: On<TurnEnded>, names: Names, mut talk: ResMut<Talk>, mut actions: ResMut<Actions>) {
    if ended.actor != PLAYER {
        return;
    }
    for line in names.outcomes(&ended.record) {
        talk.note(Who::Nobody, &line);
    }
    let question = ended.record.clarification.clone();
    actions.question = question.filter(|question| !question.options.is_empty());
}
