//! Bryn's visits: now and then, when the door is open, she comes in. When she and Eldrin are near each other, in any place,
//! she says something, and they talk for a few lines, character to character. She goes in and out by judged actions, like
//! everybody else.

use crate::door::{Door, Happens};
use crate::game::{GARDENER, PlayerSpeaks, TOWER, WIZARD, YARD};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::pipeline::{ActiveRun, InteractionContext};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{ProposedAction, WorldIndex};

/// What she says first, one after the other. The script knows what they answer.
const OPENINGS: [&str; 3] = [
    "The cat sat under your window all evening. What did you two talk about?",
    "Somebody has moved the old chair by the window. I saw it from the beds.",
    "Your soup smells as far as the well. Or is it one of your experiments?",
];
/// How many lines are said in a visit, the opening included.
pub const MOST_LINES: u8 = 4;
/// Seconds until she thinks of coming in for the first time.
const FIRST: f32 = 75.0;
/// Seconds from the end of a visit to the next one.
const EVERY: f32 = 90.0;
/// Seconds until she tries again what could not be done.
const AGAIN: f32 = 5.0;
/// Seconds between a line and the answer to it, so that a player can read it.
const PAUSE: f32 = 3.5;
/// Seconds for which she stays and listens after the player has said something.
const LISTENS: f32 = 20.0;
/// They talk when they are no farther apart, in metres: their usual spots in a place are nearer (`scene/things.rs`). Without
/// a scene it is enough to be in the same place.
const NEAR: f32 = 3.2;
/// Seconds in which she has walked up to him; else the visit is over.
const WALKS_UP: f32 = 20.0;
/// Seconds after which she does not wait for an answer any more.
const WAIT_FOR_ANSWER: f32 = 60.0;

/// Adds her visits. One begins when [`begin`] is run.
pub fn plugin(app: &mut App) {
    app.init_resource::<Gossip>()
        .add_systems(Update, take_next_step)
        .add_observer(arrive)
        .add_observer(pass_on)
        .add_observer(listen)
        .add_observer(|_: On<GameLoaded>, mut gossip: ResMut<Gossip>| {
            gossip.goes_to(Step::Outside, 0.0);
        });
}

/// Lets her visits begin by themselves, now and then.
pub fn now_and_then(app: &mut App) {
    app.insert_resource(UntilNext(FIRST))
        .add_systems(Update, remind);
}

/// A character says a line that is not an answer to a line: it has no run, and no other event tells of it.
#[derive(Event)]
pub struct Says {
    pub who: Entity,
    pub to: Entity,
    pub line: String,
}

/// How far her visit has come. There is one at a time.
#[derive(Resource)]
pub struct Gossip {
    step: Step,
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
            step: Step::Outside,
            left: 0.0,
            talks: 0,
            pause: PAUSE,
        }
    }
}

impl Gossip {
    /// Whether no visit is under way.
    pub fn is_over(&self) -> bool {
        matches!(self.step, Step::Outside)
    }

    fn goes_to(&mut self, step: Step, seconds: f32) {
        self.step = step;
        self.left = seconds;
    }
}

enum Step {
    Outside,
    /// She has asked the rulebook whether she can go in.
    GoingIn,
    /// They are in the same place, and not yet near each other.
    WalkingUp,
    /// A line was said. The other one hears it after a pause.
    Said(Line),
    /// The other one has heard it and thinks of an answer.
    Heard(Line),
    /// The talk is over, or the player has said something. She stays a little.
    Inside,
    /// She has asked the rulebook whether she can go out.
    GoingOut,
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

/// Who is where, and whether a character is busy.
#[derive(SystemParam)]
pub struct Whereabouts<'w, 's> {
    ids: Res<'w, WorldIndex>,
    placed: Query<'w, 's, &'static PlacedIn>,
    stands: Query<'w, 's, &'static Transform>,
    places: Query<'w, 's, &'static WorldId>,
    runs: Query<'w, 's, (), With<ActiveRun>>,
}

impl Whereabouts<'_, '_> {
    fn is_gardener_in(&self, place: &str) -> bool {
        let at = self.place_of(GARDENER);
        let at = at.and_then(|at| self.places.get(at).ok());
        at.is_some_and(|at| at.0 == place)
    }

    fn place_of(&self, who: &str) -> Option<Entity> {
        let placed = self.placed.get(self.ids.get(who)?).ok()?;
        Some(placed.0)
    }

    /// Whether the two are in the same place.
    fn are_together(&self) -> bool {
        let place = self.place_of(GARDENER);
        place.is_some() && place == self.place_of(WIZARD)
    }

    /// Whether they could talk without shouting.
    fn are_near(&self) -> bool {
        let stands = [GARDENER, WIZARD].map(|who| self.stands.get(self.ids.get(who)?).ok());
        let far = match stands {
            [Some(one), Some(other)] => one.translation.distance(other.translation),
            _ => 0.0,
        };
        self.are_together() && far < NEAR
    }

    /// Asks the rulebook to let her go somewhere.
    fn send(&self, commands: &mut Commands, place: &str) {
        if let Some(gardener) = self.ids.get(GARDENER) {
            let way = MoveTo {
                target: place.to_owned(),
            };
            commands
                .entity(gardener)
                .perform_all(vec![ProposedAction::of(&way)]);
        }
    }
}

/// Begins a visit, if no character is busy: she walks up to him where they are in the same place, and else comes in through
/// the open door.
pub fn begin(
    mut gossip: ResMut<Gossip>,
    whereabouts: Whereabouts,
    doors: Query<&Door>,
    mut commands: Commands,
) {
    if !gossip.is_over() || !whereabouts.runs.is_empty() {
        return;
    }
    if whereabouts.are_together() {
        gossip.goes_to(Step::WalkingUp, WALKS_UP);
    } else if whereabouts.is_gardener_in(TOWER) {
        // She has come in some other way, and he is not there: she goes out again.
        gossip.goes_to(Step::Inside, LISTENS);
    } else if is_open(&doors) && whereabouts.is_gardener_in(YARD) {
        gossip.goes_to(Step::GoingIn, AGAIN);
        whereabouts.send(&mut commands, TOWER);
    }
}

fn is_open(doors: &Query<&Door>) -> bool {
    doors.iter().any(|door| door.open)
}

/// Seconds until her next visit.
#[derive(Resource)]
struct UntilNext(f32);

fn remind(
    mut until: ResMut<UntilNext>,
    gossip: Res<Gossip>,
    time: Res<Time>,
    mut commands: Commands,
) {
    if !gossip.is_over() {
        until.0 = EVERY;
        return;
    }
    until.0 -= time.delta_secs();
    if until.0 <= 0.0 {
        until.0 = AGAIN;
        commands.run_system_cached(begin);
    }
}

/// Does what follows when the time of a step is over.
fn take_next_step(
    mut gossip: ResMut<Gossip>,
    whereabouts: Whereabouts,
    doors: Query<&Door>,
    time: Res<Time>,
    mut commands: Commands,
) {
    if gossip.is_over() {
        return;
    }
    gossip.left -= time.delta_secs();
    let is_free = whereabouts.runs.is_empty() && whereabouts.are_near();
    if matches!(gossip.step, Step::WalkingUp) && is_free {
        open_talk(&mut gossip, &whereabouts, &mut commands);
        return;
    }
    if gossip.left > 0.0 {
        return;
    }
    match std::mem::replace(&mut gossip.step, Step::Inside) {
        Step::Said(line) => {
            let ids = &whereabouts.ids;
            if let (Some(hearer), Some(speaker)) = (ids.get(line.hearer()), ids.get(line.by)) {
                commands.entity(hearer).hear(speaker, line.text.as_str());
            }
            gossip.goes_to(Step::Heard(line), WAIT_FOR_ANSWER);
        }
        // They have talked in the yard, where she lives.
        Step::Inside if whereabouts.is_gardener_in(YARD) => gossip.step = Step::Outside,
        Step::Inside if whereabouts.runs.is_empty() && is_open(&doors) => {
            gossip.goes_to(Step::GoingOut, AGAIN);
            whereabouts.send(&mut commands, YARD);
        }
        // A character is busy, or the door is shut: she stays until she can go.
        Step::Inside => {}
        // No answer came in time: the talk is over, and she stays inside until she can go.
        Step::Heard(_) | Step::GoingIn | Step::WalkingUp | Step::GoingOut => {}
        Step::Outside => gossip.step = Step::Outside,
    }
}

/// She says the first line.
fn open_talk(gossip: &mut Gossip, whereabouts: &Whereabouts, commands: &mut Commands) {
    let text = OPENINGS[gossip.talks % OPENINGS.len()].to_owned();
    gossip.talks += 1;
    let ids = &whereabouts.ids;
    if let (Some(who), Some(to)) = (ids.get(GARDENER), ids.get(WIZARD)) {
        let line = text.clone();
        commands.trigger(Says { who, to, line });
    }
    let (by, number) = (GARDENER, 1);
    let pause = gossip.pause;
    gossip.goes_to(Step::Said(Line { by, text, number }), pause);
}

/// The rulebook has answered: she is in, or out, or where she was.
fn arrive(
    ended: On<TurnEnded>,
    mut gossip: ResMut<Gossip>,
    whereabouts: Whereabouts,
    mut commands: Commands,
) {
    if ended.actor != GARDENER {
        return;
    }
    let is_inside = whereabouts.is_gardener_in(TOWER);
    match (&gossip.step, is_inside) {
        (Step::GoingIn, true) => {
            commands.trigger(Happens("Bryn comes in."));
            gossip.goes_to(Step::WalkingUp, WALKS_UP);
        }
        (Step::GoingOut, false) => {
            commands.trigger(Happens("Bryn goes back to her herbs."));
            gossip.goes_to(Step::Outside, 0.0);
        }
        (Step::GoingIn, false) => gossip.goes_to(Step::Outside, 0.0),
        // The door is shut: she tries again.
        (Step::GoingOut, true) => gossip.goes_to(Step::Inside, AGAIN),
        _ => {}
    }
}

/// An answer is the next line, until there were enough.
fn pass_on(spoke: On<Spoke>, mut gossip: ResMut<Gossip>, runs: Query<&InteractionContext>) {
    let Step::Heard(line) = &gossip.step else {
        return;
    };
    let run = spoke.run.and_then(|run| runs.get(run).ok());
    let answers = run.and_then(|run| run.speaker.as_ref());
    let by = line.hearer();
    if spoke.npc != by || answers.is_none_or(|speaker| *speaker != line.by) {
        return;
    }
    let number = line.number + 1;
    let pause = gossip.pause;
    if number >= MOST_LINES || spoke.line.is_empty() {
        gossip.goes_to(Step::Inside, pause);
    } else {
        let text = spoke.line.clone();
        gossip.goes_to(Step::Said(Line { by, text, number }), pause);
    }
}

/// When the player says something, the talk is over: what is not yet answered is dropped, and she listens.
fn listen(
    _: On<PlayerSpeaks>,
    mut gossip: ResMut<Gossip>,
    ids: Res<WorldIndex>,
    mut commands: Commands,
) {
    match &gossip.step {
        Step::Outside | Step::GoingIn | Step::GoingOut | Step::WalkingUp => return,
        Step::Heard(line) => {
            if let Some(hearer) = ids.get(line.hearer()) {
                commands.entity(hearer).cancel_run();
            }
        }
        Step::Said(_) | Step::Inside => {}
    }
    gossip.goes_to(Step::Inside, LISTENS);
}
