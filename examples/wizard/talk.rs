//! Talking, without a picture: the last lines of all characters, and the words over each head.

use crate::cast;
use crate::door::{self, Happens};
use crate::game;
use crate::gossip::Says;
use crate::tale::{NotTold, Tells};
use crate::words::Names;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::engine::DefaultEngine;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::pipeline::{ApprovedIntents, InteractionContext};
use bevy_dramatis::prelude::*;
use std::collections::{BTreeMap, VecDeque};

/// How many lines are kept.
const LOG: usize = 60;
/// How long a bubble stays once its words are there, in seconds.
const BUBBLE: f32 = 9.0;
/// How many characters of a bubble come in a second.
const PACE: f32 = 55.0;

/// Adds the talk.
pub fn plugin(app: &mut App) {
    app.init_resource::<Talk>()
        .add_systems(
            Update,
            (
                send,
                grow,
                door::turn_weather.run_if(input_just_pressed(KeyCode::F2)),
            ),
        )
        // The traveller knocks as soon as everything is there.
        .add_systems(
            Last,
            (hint_at_models, cast::knock)
                .chain()
                .run_if(dramatis_ready.and_then(run_once)),
        )
        .add_observer(hear_sentence)
        .add_observer(hear_line)
        .add_observer(|thinking: On<ThinkingLine>, mut talk: ResMut<Talk>| {
            talk.hang(thinking.entity, &thinking.line);
        })
        .add_observer(|_: On<GameLoaded>, mut talk: ResMut<Talk>| talk.bubbles.clear())
        .add_observer(note_start)
        .add_observer(note_intents)
        .add_observer(|says: On<Says>, names: Names, mut talk: ResMut<Talk>| {
            talk.note(Who::Npc(names.of_entity(says.who)), &says.line);
            talk.hang(says.who, &says.line);
        })
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

/// Whose words they are.
#[derive(Clone, PartialEq)]
pub enum Who {
    Player,
    /// A character, by name.
    Npc(String),
    /// It happens, and no character says it.
    Nobody,
    /// It is told.
    Narrator,
    /// Something does not work.
    Problem,
}

/// A line of the log.
pub struct Line {
    pub who: Who,
    pub text: String,
    /// The run that it came from, which the inspector can show.
    pub run: Option<Entity>,
}

/// The words over a head.
pub struct Bubble {
    pub words: String,
    /// How long they have been there, in seconds.
    pub age: f32,
}

impl Bubble {
    /// As many of the words as have come by now.
    pub fn shown(&self) -> &str {
        let come = (self.age * PACE) as usize;
        let end = self.words.char_indices().nth(come).map(|(at, _)| at);
        &self.words[..end.unwrap_or(self.words.len())]
    }

    fn lasts(&self) -> f32 {
        self.words.chars().count() as f32 / PACE + BUBBLE
    }

    /// From 1 to 0 in its last second.
    pub fn strength(&self) -> f32 {
        (self.lasts() - self.age).clamp(0.0, 1.0)
    }
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

/// Bubbles grow, and go.
fn grow(mut talk: ResMut<Talk>, time: Res<Time>) {
    talk.bubbles.retain(|_, bubble| {
        bubble.age += time.delta_secs();
        bubble.age < bubble.lasts()
    });
}

/// Without a model the characters know what is written in their script, and the game says so.
fn hint_at_models(engine: Res<DefaultEngine>, mut talk: ResMut<Talk>) {
    if engine.identity.provider == "scripted" {
        talk.note(
            Who::Nobody,
            "The characters speak authored lines. F3 names a server, and a model speaks for them.",
        );
    }
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
