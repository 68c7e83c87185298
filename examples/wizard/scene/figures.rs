//! The characters: what they look like, and how they move when they stand, walk, think and talk.

use super::shapes::*;
use crate::gossip::Says;
use bevy::prelude::*;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use std::f32::consts::PI;

/// From a character's feet to where its words appear.
pub const HEAD: Vec3 = vec3(0.0, 2.75, 0.0);
/// How fast a figure turns, in radians a second.
const TURN: f32 = 5.0;
/// How long somebody moves as one who talks, in seconds for each character of the line.
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
        // Whoever was heard by sentences talks already.
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

/// Somebody who stands in the scene, and the parts that move.
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
    /// For so many seconds it talks.
    talking: f32,
    /// Whom it looks at, while it stands.
    looks_at: Option<Entity>,
    /// No two breathe in time.
    phase: f32,
}

impl Figure {
    /// Moves as one who says this.
    fn talk(&mut self, line: &str) {
        if !line.is_empty() {
            self.talking = line.chars().count() as f32 * TALK + 0.5;
        }
    }
}

/// What somebody wears.
#[derive(Clone, Copy, PartialEq)]
pub enum Dress {
    Wizard,
    Gardener,
    Traveller,
}

impl Dress {
    fn cloth(self) -> Color {
        match self {
            Self::Wizard => Color::srgb(0.24, 0.20, 0.56),
            Self::Gardener => Color::srgb(0.62, 0.38, 0.16),
            Self::Traveller => Color::srgb(0.18, 0.42, 0.28),
        }
    }
}

/// The orb of a staff: it shines while its bearer thinks.
#[derive(Component)]
struct Orb(Entity);

const SKIN: Color = Color::srgb(0.85, 0.66, 0.52);
const BEARD: Color = Color::srgb(0.88, 0.88, 0.86);

/// Gives somebody a body.
pub fn dress(commands: &mut Commands, make: &mut Shapes, whom: Entity, dress: Dress) {
    let cloth = dress.cloth();
    let part = |commands: &mut Commands, of: Entity, at: Transform| {
        commands
            .spawn((at, Visibility::default(), ChildOf(of)))
            .id()
    };
    let body = part(commands, whom, Transform::default());
    let head = part(commands, body, Transform::from_xyz(0.0, 1.55, 0.0));
    let robe = ConicalFrustum {
        radius_top: 0.16,
        radius_bottom: 0.58,
        height: 1.5,
    };
    let hem = ConicalFrustum {
        radius_top: 0.555,
        radius_bottom: 0.59,
        height: 0.12,
    };
    let trim = if dress == Dress::Wizard {
        BRASS
    } else {
        DARK_WOOD
    };
    let belt = ConicalFrustum {
        radius_top: 0.345,
        radius_bottom: 0.375,
        height: 0.09,
    };
    commands.spawn((
        make.shape(robe, cloth, Transform::from_xyz(0.0, 0.76, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((
        make.shape(hem, trim, Transform::from_xyz(0.0, 0.08, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((
        make.shape(belt, trim, Transform::from_xyz(0.0, 0.86, 0.0)),
        ChildOf(body),
    ));
    commands.spawn((make.ball(0.24, cloth, vec3(0.0, 1.42, 0.0)), ChildOf(body)));

    commands.spawn((make.ball(0.26, SKIN, vec3(0.0, 0.19, 0.0)), ChildOf(head)));
    commands.spawn((make.ball(0.06, SKIN, vec3(0.0, 0.15, 0.26)), ChildOf(head)));
    for side in [-0.09, 0.09] {
        commands.spawn((
            make.ball(0.036, Color::BLACK, vec3(side, 0.22, 0.23)),
            ChildOf(head),
        ));
    }
    let arms = [-1.0, 1.0f32].map(|side| {
        let arm = part(commands, body, Transform::from_xyz(0.22 * side, 1.40, 0.02));
        let sleeve = ConicalFrustum {
            radius_top: 0.09,
            radius_bottom: 0.16,
            height: 0.62,
        };
        commands.spawn((
            make.shape(sleeve, cloth, Transform::from_xyz(0.0, -0.31, 0.0)),
            ChildOf(arm),
        ));
        commands.spawn((make.ball(0.09, SKIN, vec3(0.0, -0.66, 0.0)), ChildOf(arm)));
        arm
    });
    match dress {
        Dress::Wizard => {
            hat(commands, make, head, cloth);
            beard(commands, make, head);
            staff(commands, make, whom, arms[0]);
        }
        Dress::Gardener => straw_hat(commands, make, head),
        Dress::Traveller => hood(commands, make, head, body, cloth),
    }
    let phase = if dress == Dress::Wizard { 0.0 } else { 2.0 };
    commands.entity(whom).insert(Figure {
        body,
        head,
        arms,
        last: None,
        pace: 0.0,
        walked: 0.0,
        talking: 0.0,
        looks_at: None,
        phase,
    });
}

fn hat(commands: &mut Commands, make: &mut Shapes, head: Entity, cloth: Color) {
    commands.spawn((
        make.pillar(0.44, 0.05, cloth, vec3(0.0, 0.38, 0.0)),
        ChildOf(head),
    ));
    let band = ConicalFrustum {
        radius_top: 0.25,
        radius_bottom: 0.27,
        height: 0.08,
    };
    commands.spawn((
        make.shape(band, BRASS, Transform::from_xyz(0.0, 0.44, 0.0)),
        ChildOf(head),
    ));
    commands.spawn((
        make.cone(0.27, 0.55, cloth, vec3(0.0, 0.68, 0.0)),
        ChildOf(head),
    ));
    let mut tip = Transform::from_xyz(0.0, 0.98, -0.07);
    tip.rotate_x(-0.6);
    commands.spawn((make.shape(Cone::new(0.10, 0.32), cloth, tip), ChildOf(head)));
}

fn beard(commands: &mut Commands, make: &mut Shapes, head: Entity) {
    let mut beard = Transform::from_xyz(0.0, -0.16, 0.17);
    beard.rotate_x(PI - 0.15);
    commands.spawn((
        make.shape(Cone::new(0.19, 0.62), BEARD, beard),
        ChildOf(head),
    ));
    for side in [-1.0, 1.0f32] {
        let mut hair = Transform::from_xyz(0.08 * side, 0.09, 0.26);
        hair.rotate_z(1.2 * side);
        commands.spawn((
            make.shape(Capsule3d::new(0.035, 0.12), BEARD, hair),
            ChildOf(head),
        ));
        let mut brow = Transform::from_xyz(0.10 * side, 0.30, 0.22);
        brow.rotate_z(1.45 * side);
        commands.spawn((
            make.shape(Capsule3d::new(0.025, 0.07), BEARD, brow),
            ChildOf(head),
        ));
    }
}

fn staff(commands: &mut Commands, make: &mut Shapes, whom: Entity, arm: Entity) {
    commands.spawn((
        make.pillar(0.035, 2.1, DARK_WOOD, vec3(-0.04, -0.36, 0.10)),
        ChildOf(arm),
    ));
    let orb = make.ball(
        0.12,
        Paint::Glow(Color::srgb(0.45, 0.85, 0.95), 2.5),
        vec3(-0.04, 0.78, 0.10),
    );
    commands.spawn((orb, Orb(whom), ChildOf(arm)));
}

fn straw_hat(commands: &mut Commands, make: &mut Shapes, head: Entity) {
    let straw = Color::srgb(0.82, 0.68, 0.36);
    commands.spawn((
        make.pillar(0.48, 0.04, straw, vec3(0.0, 0.36, 0.0)),
        ChildOf(head),
    ));
    let crown = ConicalFrustum {
        radius_top: 0.19,
        radius_bottom: 0.25,
        height: 0.2,
    };
    commands.spawn((
        make.shape(crown, straw, Transform::from_xyz(0.0, 0.46, 0.0)),
        ChildOf(head),
    ));
    commands.spawn((
        make.pillar(
            0.245,
            0.05,
            Color::srgb(0.55, 0.16, 0.14),
            vec3(0.0, 0.40, 0.0),
        ),
        ChildOf(head),
    ));
    // Her hair, in a plait.
    let hair = Color::srgb(0.40, 0.20, 0.10);
    commands.spawn((
        make.ball(0.265, hair, vec3(0.0, 0.22, -0.05)),
        ChildOf(head),
    ));
    for bead in 0..4u8 {
        let down = f32::from(bead) * 0.13;
        commands.spawn((
            make.ball(
                0.085 - 0.01 * f32::from(bead),
                hair,
                vec3(0.14, 0.02 - down, -0.22),
            ),
            ChildOf(head),
        ));
    }
}

fn hood(commands: &mut Commands, make: &mut Shapes, head: Entity, body: Entity, cloth: Color) {
    commands.spawn((
        make.ball(0.30, cloth, vec3(0.0, 0.24, -0.07)),
        ChildOf(head),
    ));
    let mut tip = Transform::from_xyz(0.0, 0.36, -0.30);
    tip.rotate_x(-1.9);
    commands.spawn((make.shape(Cone::new(0.17, 0.34), cloth, tip), ChildOf(head)));
    // A bag for the road.
    commands.spawn((
        make.block(
            vec3(0.34, 0.40, 0.18),
            Color::srgb(0.40, 0.27, 0.15),
            vec3(0.0, 1.05, -0.36),
        ),
        ChildOf(body),
    ));
    let mut roll = Transform::from_xyz(0.0, 1.33, -0.36);
    roll.rotate_z(PI / 2.0);
    let blanket = Color::srgb(0.55, 0.48, 0.36);
    commands.spawn((
        make.shape(Cylinder::new(0.09, 0.48), blanket, roll),
        ChildOf(body),
    ));
}

/// Who answers somebody looks at them, and they look back.
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
    let Some(speaker) = speaker.and_then(|id| ids.get(id)) else {
        return;
    };
    look_at_each_other(&mut figures, started.entity, speaker);
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

/// Who stands turns to whom it looks at. Who walks is turned by `walk.rs`.
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
