//! Bryn's visits. Her routine (`assets/npcs/gardener.npc.ron`) leads her in and out, and the rulebook judges each of her steps:
//! nothing is written here for that. While she visits, she says something, and the two talk for a few lines, character to
//! character.

use crate::cast::{GARDENER, WIZARD};
use crate::door::Happens;
use crate::game::PlayerSpeaks;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::npc::Doing;
use bevy_dramatis::pipeline::{ActiveRun, InteractionContext};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// What she says first, one after the other. The script knows what they answer.
const OPENINGS: [&str; 3] = [
    "The cat sat under your window all evening. What did you two talk about?",
    "Somebody has moved the old chair by the window. I saw it from the beds.",
    "Your soup smells as far as the well. Or is it one of your experiments?",
];
/// How many lines are said in a visit, the opening included.
pub const MOST_LINES: u8 = 4;
/// What her routine says that she does while she visits.
const VISITS: &str = "visits Eldrin";
/// Seconds between a line and the answer to it, so that a player can read it.
const PAUSE: f32 = 3.5;
/// They talk when they are no farther apart, in metres: their usual spots in a place are nearer (`scene/things.rs`). Without
/// a scene it is enough to be in the same place.
const NEAR: f32 = 3.2;
/// Seconds in which she has walked up to him; else there is no talk this time.
const WALKS_UP: f32 = 20.0;
/// Seconds after which she does not wait for an answer any more.
const WAIT_FOR_ANSWER: f32 = 60.0;

/// Adds the talks of her visits.
pub fn plugin(app: &mut App) {
    app.init_resource::<Gossip>()
        .add_systems(Update, take_next_step)
        .add_observer(come_or_go)
        .add_observer(pass_on)
        .add_observer(fall_silent)
        .add_observer(|_: On<GameLoaded>, mut gossip: ResMut<Gossip>| gossip.step = None);
}

/// A character says a line that is not an answer to a line: it has no run, and no other event tells of it.
#[derive(Event)]
pub struct Says {
    pub who: Entity,
    pub to: Entity,
    pub line: String,
}

/// How far the talk of her visit has come.
#[derive(Resource)]
pub struct Gossip {
    /// Whether she visits now.
    pub visits: bool,
    /// `None`: they do not talk.
    step: Option<Step>,
    /// Seconds until something follows from the step.
    left: f32,
    /// How many talks have begun.
    talks: usize,
    /// Seconds between a line and the answer to it.
    pub pause: f32,
}

impl Default for Gossip {
    fn default() -> Self {
        Self {
            visits: false,
            step: None,
            left: 0.0,
            talks: 0,
            pause: PAUSE,
        }
    }
}

impl Gossip {
    /// Whether the two do not talk.
    pub fn is_over(&self) -> bool {
        self.step.is_none()
    }

    fn goes_to(&mut self, step: Step, seconds: f32) {
        self.step = Some(step);
        self.left = seconds;
    }
}

enum Step {
    /// They are in the same place, and not yet near each other.
    WalkingUp,
    /// A line was said. The other one hears it after a pause.
    Said(Line),
    /// The other one has heard it and thinks of an answer.
    Heard(Line),
}

struct Line {
    /// The id of who says it.
    by: &'static str,
    text: String,
    /// Which line of the visit it is, from 1.
    number: u8,
}

impl Line {
    fn hearer(&self) -> &'static str {
        if self.by == WIZARD { GARDENER } else { WIZARD }
    }
}

/// The two, and whether a character is busy.
#[derive(SystemParam)]
struct Pair<'w, 's> {
    ids: Res<'w, WorldIndex>,
    placed: Query<'w, 's, (&'static PlacedIn, Option<&'static Transform>)>,
    runs: Query<'w, 's, (), With<ActiveRun>>,
}

impl Pair<'_, '_> {
    /// Whether they could talk now, without shouting.
    fn can_talk(&self) -> bool {
        let both = [GARDENER, WIZARD].map(|who| self.placed.get(self.ids.get(who)?).ok());
        let [Some((here, one)), Some((there, other))] = both else {
            return false;
        };
        let far = one.zip(other);
        let far = far.map_or(0.0, |(one, other)| {
            one.translation.distance(other.translation)
        });
        here.0 == there.0 && far < NEAR && self.runs.is_empty()
    }
}

/// She has arrived where her routine leads her.
fn come_or_go(
    begun: On<Insert, Doing>,
    doings: Query<&Doing>,
    ids: Res<WorldIndex>,
    mut gossip: ResMut<Gossip>,
    mut commands: Commands,
) {
    if ids.get(GARDENER) != Some(begun.entity) {
        return;
    }
    let visits = doings
        .get(begun.entity)
        .is_ok_and(|doing| doing.text == VISITS);
    let did = std::mem::replace(&mut gossip.visits, visits);
    if visits && !did {
        commands.trigger(Happens("Bryn comes in."));
        gossip.goes_to(Step::WalkingUp, WALKS_UP);
    } else if did && !visits {
        commands.trigger(Happens("Bryn goes back to her herbs."));
    }
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
