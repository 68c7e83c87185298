//! The characters: how they move when they stay, walk, think and talk. What they look like is in `dress.rs`.

use crate::gossip::Says;
use bevy::prelude::*;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// From a character's feet to where its words appear.
pub const HEAD: Vec3 = vec3(0.0, 2.75, 0.0);
/// How fast a figure turns, in radians a second.
const TURN: f32 = 5.0;
/// How long a figure moves as a speaker does, in seconds for each character of the line.
const TALK: f32 = 0.055;

/// Adds how figures move.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (measure_pace, face, pose)
            .chain()
            .after(super::walk::WalkSystems),
    )
    .add_observer(
        |spoke: On<SpokeSentence>, mut figures: Query<&mut Figure>| {
            if let Ok(mut figure) = figures.get_mut(spoke.entity) {
                figure.talk(&spoke.sentence);
            }
        },
    )
    .add_observer(|spoke: On<Spoke>, mut figures: Query<&mut Figure>| {
        // A character that was heard by sentences talks already.
        if let Ok(mut figure) = figures.get_mut(spoke.entity)
            && figure.talking <= 0.0
        {
            figure.talk(&spoke.line);
        }
    })
    .add_observer(|says: On<Says>, mut figures: Query<&mut Figure>| {
        look_at_each_other(&mut figures, says.who, says.to);
        if let Ok(mut figure) = figures.get_mut(says.who) {
            figure.talk(&says.line);
        }
    })
    .add_observer(look_at_speaker);
}

/// A character in the scene, and the parts that move.
#[derive(Component)]
pub struct Figure {
    body: Entity,
    head: Entity,
    arms: [Entity; 2],
    /// Where it was in the frame before.
    last: Option<Vec3>,
    /// How fast it walks, from 0 to 1, smoothly.
    pace: f32,
    /// How far it has walked, for its steps.
    walked: f32,
    /// How many seconds it still talks.
    talking: f32,
    /// The figure that it looks at while it does not walk.
    looks_at: Option<Entity>,
    /// No two breathe in time.
    phase: f32,
}

impl Figure {
    /// A figure that does not move. `phase`: when it breathes.
    pub fn new(body: Entity, head: Entity, arms: [Entity; 2], phase: f32) -> Self {
        Self {
            body,
            head,
            arms,
            last: None,
            pace: 0.0,
            walked: 0.0,
            talking: 0.0,
            looks_at: None,
            phase,
        }
    }

    /// Moves as one who says this.
    fn talk(&mut self, line: &str) {
        if !line.is_empty() {
            self.talking = line.chars().count() as f32 * TALK + 0.5;
        }
    }
}

/// The orb of a staff: it shines while its bearer thinks.
#[derive(Component)]
pub struct Orb(pub Entity);

/// A character that answers looks at the speaker, and the speaker looks back.
fn look_at_speaker(
    started: On<RunStarted>,
    runs: Query<&InteractionContext>,
    ids: Res<WorldIndex>,
    mut figures: Query<&mut Figure>,
) {
    let speaker = runs
        .get(started.run)
        .ok()
        .and_then(|run| run.speaker.as_deref());
    let speaker = speaker.and_then(|id| ids.get(id));
    if let (Some(one), Some(other)) = (started.entity, speaker) {
        look_at_each_other(&mut figures, one, other);
    }
}

fn look_at_each_other(figures: &mut Query<&mut Figure>, one: Entity, other: Entity) {
    for (who, whom) in [(one, other), (other, one)] {
        if let Ok(mut figure) = figures.get_mut(who) {
            figure.looks_at = Some(whom);
        }
    }
}

fn measure_pace(mut figures: Query<(&mut Figure, &Transform)>, time: Res<Time>) {
    let dt = time.delta_secs().max(0.001);
    for (mut figure, transform) in &mut figures {
        let here = transform.translation;
        let way = here.distance(figure.last.unwrap_or(here));
        let pace = (way / dt / 2.4).min(1.0);
        figure.pace = figure.pace.lerp(pace, (8.0 * dt).min(1.0));
        figure.walked += way;
        figure.talking = (figure.talking - dt).max(0.0);
        figure.last = Some(here);
    }
}

/// A figure that does not walk turns to the one that it looks at. `walk.rs` turns those that walk.
fn face(mut figures: Query<(Entity, &Figure)>, mut places: Query<&mut Transform>, time: Res<Time>) {
    for (entity, figure) in &mut figures {
        if figure.pace > 0.15 {
            continue;
        }
        let Some([mut own, other]) = figure
            .looks_at
            .and_then(|other| places.get_many_mut([entity, other]).ok())
        else {
            continue;
        };
        let way = other.translation - own.translation;
        if way.xz().length() > 0.1 {
            turn_to(&mut own, way, TURN * time.delta_secs());
        }
    }
}

/// Turns a figure so that it looks along a way.
pub fn turn_to(transform: &mut Transform, way: Vec3, angle: f32) {
    let goal = Quat::from_rotation_y(way.x.atan2(way.z));
    transform.rotation = transform.rotation.rotate_towards(goal, angle);
}

fn pose(
    figures: Query<(&Figure, Has<Thinking>)>,
    mut parts: Query<&mut Transform, (Without<Figure>, Without<Orb>)>,
    mut orbs: Query<(&Orb, &mut Transform), Without<Figure>>,
    time: Res<Time>,
) {
    let t = time.elapsed_secs();
    let ease = (10.0 * time.delta_secs()).min(1.0);
    for (figure, thinks) in &figures {
        let (pace, step) = (figure.pace, (figure.walked * 4.2).sin());
        let talks = if figure.talking > 0.0 { 1.0 } else { 0.0 };
        let breath = (t * 1.7 + figure.phase).sin();
        if let Ok(mut body) = parts.get_mut(figure.body) {
            body.translation.y = 0.012 * breath + 0.07 * pace * step.abs();
            let goal = Quat::from_euler(EulerRot::XYZ, 0.09 * pace, 0.0, 0.03 * pace * step);
            body.rotation = body.rotation.slerp(goal, ease);
        }
        if let Ok(mut head) = parts.get_mut(figure.head) {
            let nod = talks * 0.07 * (t * 6.5).sin() + if thinks { -0.18 } else { 0.0 };
            let look = 0.10 * (t * 0.6 + figure.phase).sin() * (1.0 - talks);
            let goal = Quat::from_euler(EulerRot::YXZ, look, nod, talks * 0.05 * (t * 3.1).sin());
            head.rotation = head.rotation.slerp(goal, ease);
        }
        for (index, side) in [(0, -1.0), (1, 1.0f32)] {
            let Ok(mut arm) = parts.get_mut(figure.arms[index]) else {
                continue;
            };
            let rest = 0.30 + 0.03 * breath;
            let swing = -0.7 * pace * step * side;
            // The right hand goes with the words, and to the chin while its owner thinks.
            let lifted = match (index, thinks) {
                (1, true) => -2.1,
                (1, false) => talks * (-1.0 + 0.35 * (t * 4.3).sin()),
                _ => -0.35,
            };
            let inwards = if index == 1 && thinks { -0.75 } else { 0.0 };
            let goal = Quat::from_euler(
                EulerRot::YXZ,
                inwards,
                lifted + swing,
                (rest + 0.1 * talks) * side,
            );
            arm.rotation = arm.rotation.slerp(goal, ease);
        }
    }
    for (orb, mut transform) in &mut orbs {
        let thinks = figures.get(orb.0).is_ok_and(|(_, thinks)| thinks);
        let pulse = if thinks {
            1.25 + 0.25 * (t * 7.0).sin()
        } else {
            1.0
        };
        transform.scale = Vec3::splat(pulse);
    }
}
