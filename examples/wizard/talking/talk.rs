//! Talking, without a picture: the last lines of all characters, and the words over each head.

mod bubble;
mod happened;
mod line;
mod said;
mod start;

pub use bubble::Bubble;
pub use line::{Line, Who};

use crate::game;
use bevy::prelude::*;
use std::collections::{BTreeMap, VecDeque};

/// How many lines are kept.
const LOG: usize = 60;

/// Adds the talk.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Talk>()
        .add_systems(Update, send)
        .add_plugins((
            bubble::plugin,
            start::plugin,
            said::plugin,
            happened::plugin,
        ));
}

/// What is said and shown.
#[derive(Resource, Default)]
pub struct Talk {
    pub log: VecDeque<Line>,
    pub bubbles: BTreeMap<Entity, Bubble>,
    /// What is being typed.
    pub draft: String,
    /// What was typed and not yet said or done. The UI may be drawn several times a frame: it notes, and `send` acts.
    pub outgoing: Option<String>,
    /// The last run in which a character spoke.
    pub last_run: Option<Entity>,
}

impl Talk {
    /// Adds a line to the log.
    pub fn note(&mut self, who: Who, text: &str) {
        self.add(who, text, None);
    }

    /// Adds a line that came from a run.
    pub fn add(&mut self, who: Who, text: &str, run: Option<Entity>) {
        let text = text.to_owned();
        self.log.push_back(Line { who, text, run });
        if self.log.len() > LOG {
            self.log.pop_front();
        }
    }

    /// Hangs words over a head. What hung there goes.
    pub fn hang(&mut self, over: Entity, words: &str) {
        let words = words.to_owned();
        self.bubbles.insert(over, Bubble { words, age: 0.0 });
    }
}

fn send(mut commands: Commands, mut talk: ResMut<Talk>) {
    if let Some(text) = talk.outgoing.take() {
        talk.note(Who::Player, &text);
        talk.bubbles.clear();
        commands.run_system_cached_with(game::enter, text);
    }
}
