//! Walking. The player steers with the keys; every figure goes where the judged world says that it is.
//!
//! The threshold of the door is the border of two places of the story, and the rulebook decides who may pass: a player who
//! steps over it by the keys asks first, like a player who types `> go to the tower`.

use super::figures::{Figure, turn_to};
use super::floor::{on_floor, place_of, slide, way_to};
use super::ways::Way;
use crate::cast::{GARDENER, WIZARD};
use crate::door::Door;
use crate::game::{Listener, TOWER};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ProposedAction;
use bevy_egui::input::egui_wants_any_keyboard_input;

/// How fast one walks, in metres a second.
const SPEED: f32 = 2.6;
/// How long the player who was refused at the threshold waits before asking again, in seconds.
const ASK_AGAIN_AFTER: f32 = 2.0;
/// The largest distance at which the player can talk to a character, in metres.
const EARSHOT: f32 = 3.5;

/// When figures walk.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WalkSystems;

/// How near a figure goes to a thing that it takes, opens or uses, in metres.
const ARM: f32 = 0.9;
/// How long a figure stays there, including the way, in seconds.
const ERRAND: f32 = 3.5;

/// Adds walking.
pub fn plugin(app: &mut App) {
    app.add_observer(go_there::<Take>)
        .add_observer(go_there::<Open>)
        .add_observer(go_there::<Close>)
        .add_observer(go_there::<Use>);
    app.add_systems(
        Update,
        (
            stop.run_if(egui_wants_any_keyboard_input),
            steer.run_if(not(egui_wants_any_keyboard_input)),
            follow_world,
            listen,
        )
            .chain()
            .in_set(WalkSystems),
    );
}

/// The usual spot of a character in each place.
#[derive(Component)]
pub struct Stands {
    pub tower: Vec2,
    pub yard: Vec2,
}

/// A character does something elsewhere: it goes there, and back again.
#[derive(Component)]
pub struct Errand {
    /// The spot for it.
    goal: Vec2,
    /// How many seconds it still stays there.
    left: f32,
}

/// A character goes to what it takes, opens or uses. The player walks by itself.
fn go_there<A: NpcAction>(
    done: On<Applied<A>>,
    figures: Query<&Transform, (With<Figure>, Without<Steered>)>,
    things: Query<&Transform, Without<Figure>>,
    mut commands: Commands,
) {
    let (Some(who), Some(what)) = (done.entity, done.target) else {
        return;
    };
    if let (Ok(here), Ok(there)) = (figures.get(who), things.get(what)) {
        let goal = way_to(here.translation.xz(), there.translation.xz(), ARM);
        commands
            .entity(who)
            .try_insert(Errand { goal, left: ERRAND });
    }
}

/// The player's figure, which the keys steer.
#[derive(Component, Default)]
pub struct Steered {
    /// Seconds until the rulebook is asked again.
    ask_again_in: f32,
    /// Whether keys move it now.
    moves: bool,
    /// It has been somewhere else than the world says, and goes by itself to its usual spot.
    guided: bool,
}

/// The way that the keys say, seen from above; not longer than 1.
fn walk_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let held = |either: [KeyCode; 2]| if keys.any_pressed(either) { 1.0 } else { 0.0 };
    let right =
        held([KeyCode::KeyD, KeyCode::ArrowRight]) - held([KeyCode::KeyA, KeyCode::ArrowLeft]);
    let near = held([KeyCode::KeyS, KeyCode::ArrowDown]) - held([KeyCode::KeyW, KeyCode::ArrowUp]);
    vec2(right, near).clamp_length_max(1.0)
}

/// A player who types does not walk.
fn stop(mut steered: Query<&mut Steered>) {
    for mut one in &mut steered {
        one.moves = false;
    }
}

fn steer(
    player: Single<(Entity, &mut Steered, &mut Transform, &PlacedIn)>,
    places: Query<&WorldId>,
    doors: Query<&Door>,
    keys: Res<ButtonInput<KeyCode>>,
    mut commands: Commands,
    time: Res<Time>,
) {
    let (entity, mut steered, mut transform, placed) = player.into_inner();
    let way = walk_direction(&keys);
    steered.ask_again_in -= time.delta_secs();
    steered.moves = way != Vec2::ZERO;
    if !steered.moves {
        return;
    }
    let open = doors.iter().any(|door| door.open);
    let here = transform.translation.xz();
    let there = slide(here, here + way * SPEED * time.delta_secs(), open);
    turn_to(
        &mut transform,
        vec3(way.x, 0.0, way.y),
        10.0 * time.delta_secs(),
    );
    let place = place_of(there);
    let is_there = places.get(placed.0).is_ok_and(|id| id.0 == place);
    if is_there || place == place_of(here) {
        transform.translation = on_floor(there);
    } else if steered.ask_again_in <= 0.0 {
        steered.ask_again_in = ASK_AGAIN_AFTER;
        let way = MoveTo {
            target: place.to_owned(),
        };
        commands
            .entity(entity)
            .perform_all(vec![ProposedAction::of(&way)]);
    }
}

/// A figure that is not where the world has it walks there; a character also to its usual spot.
fn follow_world(
    mut figures: Query<
        (
            Entity,
            &Stands,
            &PlacedIn,
            &mut Transform,
            Option<&mut Steered>,
            Option<&mut Errand>,
            Option<&Way>,
        ),
        With<Figure>,
    >,
    mut commands: Commands,
    places: Query<&WorldId>,
    time: Res<Time>,
) {
    for (entity, stands, placed, mut transform, steered, errand, way) in &mut figures {
        let Ok(WorldId(place)) = places.get(placed.0) else {
            continue;
        };
        let here = transform.translation.xz();
        let mut goal = if place == TOWER {
            stands.tower
        } else {
            stands.yard
        };
        if let Some(mut errand) = errand {
            errand.left -= time.delta_secs();
            if errand.left <= 0.0 {
                commands.entity(entity).remove::<Errand>();
            } else if place_of(errand.goal) == place.as_str() {
                goal = errand.goal;
            }
        }
        if let Some(mut steered) = steered {
            let is_elsewhere = place_of(here) != place.as_str();
            let arrives = here.distance(goal) < 0.05;
            steered.guided = !steered.moves && (is_elsewhere || (steered.guided && !arrives));
            if !steered.guided {
                continue;
            }
        }
        if here.distance(goal) < 0.03 {
            continue;
        }
        // The way to a goal is looked for once.
        let new = way
            .is_none_or(|way| !way.leads_to(goal))
            .then(|| Way::to(goal));
        let next = new
            .as_ref()
            .or(way)
            .map_or(goal, |way| way.next_point(here));
        if let Some(new) = new {
            commands.entity(entity).insert(new);
        }
        let way = (next - here).clamp_length_max(0.8 * SPEED * time.delta_secs());
        let there = here + way;
        turn_to(
            &mut transform,
            vec3(way.x, 0.0, way.y),
            8.0 * time.delta_secs(),
        );
        transform.translation = on_floor(there);
    }
}

/// The player talks to the nearest character, else to the wizard: from outside through the door.
fn listen(
    player: Single<&Transform, With<Steered>>,
    others: Query<(&WorldId, &Transform), (With<Figure>, Without<Steered>)>,
    mut listener: ResMut<Listener>,
) {
    let far = |at: &Transform| at.translation.distance(player.translation);
    let near = others.iter().filter(|(_, at)| far(at) < EARSHOT);
    let nearest = near.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
    let is_gardener = nearest.is_some_and(|(id, _)| id.0 == GARDENER);
    let whom = if is_gardener { GARDENER } else { WIZARD };
    if listener.0 != whom {
        listener.0 = whom;
    }
}
