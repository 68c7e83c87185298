//! The things of the story: each gets a shape when it appears, and from then on has the place and the state that the judged
//! world says. The acts of a character set it moving: a game that was loaded, or a plan that was taken back, moves nothing.

use super::dress::{Dress, dress};
use super::floor::{DOOR_ANGLE, RADIUS, WALL, at_wall, height, on_floor};
use super::furniture::cauldron;
use super::shapes::*;
use super::tower::{HEARTH, hook};
use super::walk::{Stands, Steered, WalkSystems};
use crate::cast::{GARDENER, PLAYER, WIZARD};
use crate::door::Door;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::plugin::ResultSystems;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Attributes;
use std::f32::consts::{FRAC_1_SQRT_2, PI};

/// How high a thing lies that no character carries.
const LYING: f32 = 0.16;
/// A carried thing has arrived when it is at most this far away, in metres.
const ARRIVED: f32 = 0.02;
/// The rotation of a bar that is not across its door.
const UPRIGHT: Quat = Quat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2);

/// Adds the things.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (swing, fall, carry).after(ResultSystems).after(WalkSystems),
    )
    .add_observer(give_shape)
    .add_observer(set_moving::<Open>)
    .add_observer(set_moving::<Close>)
    .add_observer(set_moving::<Take>)
    .add_observer(set_moving::<Give>)
    .add_observer(set_moving::<PutDown>)
    .add_observer(stop_moving);
}

/// A character has done something with it: it is on its way to where, or how, it is now.
#[derive(Component)]
struct Moving;

fn set_moving<A: NpcAction>(done: On<Applied<A>>, mut commands: Commands) {
    if let Some(thing) = done.target {
        commands.entity(thing).try_insert(Moving);
    }
}

/// In a game that was loaded everything is where it was.
fn stop_moving(_: On<GameLoaded>, moving: Query<Entity, With<Moving>>, mut commands: Commands) {
    for thing in &moving {
        commands.entity(thing).remove::<Moving>();
    }
}

/// A part that turns when `of` opens.
#[derive(Component)]
struct Hinge {
    of: Entity,
    closed: Quat,
    open: Quat,
}

/// The bar of a door: across it, or upright next to it.
#[derive(Component)]
struct Bar {
    of: Entity,
}

/// Something that can be carried: it hangs at the belt of its bearer, here.
#[derive(Component)]
struct Carried {
    belt: Vec3,
    /// Whether a character has ever had it. Until then it is where it was made.
    moved: bool,
}

/// The story says what exists. What gets an id that is known here gets a shape.
fn give_shape(
    added: On<Add, WorldId>,
    ids: Query<&WorldId>,
    mut commands: Commands,
    mut make: Shapes,
) {
    let entity = added.entity;
    let Ok(WorldId(id)) = ids.get(entity) else {
        return;
    };
    let mut stand = |at: Transform| {
        commands.entity(entity).insert((at, Visibility::default()));
    };
    match id.as_str() {
        WIZARD => {
            let spot = vec2(-1.5, -1.1);
            stand(Transform::from_translation(on_floor(spot)));
            commands.entity(entity).insert(Stands {
                tower: spot,
                yard: vec2(7.6, -4.0),
            });
            dress(&mut commands, &mut make, entity, Dress::Wizard);
        }
        GARDENER => {
            let spot = vec2(9.5, -5.0);
            stand(Transform::from_translation(on_floor(spot)));
            commands.entity(entity).insert(Stands {
                tower: vec2(0.2, -2.2),
                yard: spot,
            });
            dress(&mut commands, &mut make, entity, Dress::Gardener);
        }
        PLAYER => {
            let spot = vec2(7.4, -1.4);
            let facing = Quat::from_rotation_y(-2.2);
            stand(Transform::from_translation(on_floor(spot)).with_rotation(facing));
            let stands = Stands {
                tower: vec2(1.5, -0.4),
                yard: spot,
            };
            commands.entity(entity).insert((Steered::default(), stands));
            dress(&mut commands, &mut make, entity, Dress::Traveller);
        }
        "door_1" => {
            stand(at_wall(DOOR_ANGLE, RADIUS + WALL / 2.0));
            door(&mut commands, &mut make, entity);
        }
        "chest_1" => {
            stand(at_wall(66.0, RADIUS - 0.75));
            chest(&mut commands, &mut make, entity);
        }
        "cauldron_1" => {
            stand(Transform::from_translation(HEARTH + vec3(0.55, 0.0, 0.40)));
            cauldron(&mut commands, &mut make, entity);
        }
        "key_1" => {
            stand(Transform::from_xyz(-0.6, 1.0, 0.6));
            carried(&mut commands, entity, vec3(0.50, 0.72, 0.30));
            key(&mut commands, &mut make, entity, BRASS);
        }
        "key_2" => {
            stand(Transform::from_translation(hook()).with_rotation(Quat::from_rotation_y(0.8)));
            carried(&mut commands, entity, vec3(-0.48, 0.72, 0.32));
            key(&mut commands, &mut make, entity, IRON);
        }
        "herb_1" => {
            stand(Transform::from_xyz(-3.15, 0.92, 0.62));
            carried(&mut commands, entity, vec3(0.30, 0.86, 0.42));
            herb(
                &mut commands,
                &mut make,
                entity,
                Paint::Glow(Color::srgb(0.70, 0.85, 1.0), 1.5),
            );
        }
        "herb_2" => {
            stand(Transform::from_xyz(-2.85, 0.92, 1.05));
            carried(&mut commands, entity, vec3(-0.26, 0.86, 0.44));
            herb(
                &mut commands,
                &mut make,
                entity,
                Color::srgb(0.50, 0.20, 0.60).into(),
            );
        }
        _ => {}
    }
}

fn carried(commands: &mut Commands, thing: Entity, belt: Vec3) {
    commands
        .entity(thing)
        .insert(Carried { belt, moved: false });
}

fn door(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    let hinge = Hinge {
        of,
        closed: Quat::IDENTITY,
        open: Quat::from_rotation_y(-1.8),
    };
    let at = Transform::from_xyz(-0.64, 0.0, 0.0);
    let leaf = commands
        .spawn((hinge, at, Visibility::default(), ChildOf(of)))
        .id();
    commands.spawn((
        make.block(
            vec3(1.28, 2.42, 0.12),
            planks(1.0, 1.0),
            vec3(0.64, 1.22, 0.0),
        ),
        ChildOf(leaf),
    ));
    for y in [0.45, 1.25, 2.05] {
        commands.spawn((
            make.block(vec3(1.22, 0.11, 0.16), DARK_IRON, vec3(0.64, y, 0.0)),
            ChildOf(leaf),
        ));
    }
    for side in [-0.12, 0.12] {
        commands.spawn((
            make.ball(0.07, BRASS, vec3(1.14, 1.05, side)),
            ChildOf(leaf),
        ));
    }
    let bar = Transform::from_xyz(-0.72, 0.95, 0.30).with_rotation(UPRIGHT);
    let bar = commands
        .spawn((Bar { of }, bar, Visibility::default(), ChildOf(of)))
        .id();
    commands.spawn((
        make.block(vec3(1.6, 0.15, 0.1), DARK_WOOD, vec3(0.78, 0.0, 0.0)),
        ChildOf(bar),
    ));
}

fn chest(commands: &mut Commands, make: &mut Shapes, of: Entity) {
    commands.spawn((
        make.block(
            vec3(1.1, 0.48, 0.66),
            planks(1.0, 0.4),
            vec3(0.0, 0.24, 0.0),
        ),
        ChildOf(of),
    ));
    for x in [-0.42, 0.42] {
        commands.spawn((
            make.block(vec3(0.1, 0.5, 0.70), DARK_IRON, vec3(x, 0.24, 0.0)),
            ChildOf(of),
        ));
    }
    // The letters.
    for (x, turn) in [(-0.2, 0.3), (0.05, -0.4), (0.25, 0.1)] {
        let at = Transform::from_xyz(x, 0.485, 0.05).with_rotation(Quat::from_rotation_y(turn));
        commands.spawn((
            make.shape(Cuboid::new(0.3, 0.012, 0.2), WAX, at),
            ChildOf(of),
        ));
    }
    let hinge = Hinge {
        of,
        closed: Quat::IDENTITY,
        open: Quat::from_rotation_x(-1.25),
    };
    let at = Transform::from_xyz(0.0, 0.5, -0.33);
    let lid = commands
        .spawn((hinge, at, Visibility::default(), ChildOf(of)))
        .id();
    commands.spawn((
        make.block(
            vec3(1.14, 0.16, 0.70),
            planks(1.0, 0.2),
            vec3(0.0, 0.08, 0.33),
        ),
        ChildOf(lid),
    ));
    for x in [-0.42, 0.42] {
        commands.spawn((
            make.block(vec3(0.1, 0.18, 0.74), DARK_IRON, vec3(x, 0.08, 0.33)),
            ChildOf(lid),
        ));
    }
    commands.spawn((
        make.block(vec3(0.16, 0.2, 0.06), BRASS, vec3(0.0, 0.0, 0.70)),
        ChildOf(lid),
    ));
}

/// A ring, a shaft, a bit.
fn key(commands: &mut Commands, make: &mut Shapes, of: Entity, colour: Color) {
    let ring = Transform::from_xyz(0.0, 0.16, 0.0)
        .with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
    commands.spawn((
        make.shape(Torus::new(0.05, 0.11), colour, ring),
        ChildOf(of),
    ));
    commands.spawn((
        make.block(vec3(0.05, 0.3, 0.05), colour, vec3(0.0, -0.07, 0.0)),
        ChildOf(of),
    ));
    commands.spawn((
        make.block(vec3(0.12, 0.05, 0.05), colour, vec3(0.06, -0.19, 0.0)),
        ChildOf(of),
    ));
}

/// A small bundle with its flowers.
fn herb(commands: &mut Commands, make: &mut Shapes, of: Entity, flower: Paint) {
    for (turn, lean) in [(0.0, 0.25), (2.1, 0.3), (4.2, 0.28)] {
        let stem = Quat::from_rotation_y(turn) * Quat::from_rotation_z(lean);
        let at = Transform::from_rotation(stem) * Transform::from_xyz(0.0, 0.13, 0.0);
        commands.spawn((make.shape(Cone::new(0.05, 0.26), LEAF, at), ChildOf(of)));
        let top = at * Transform::from_xyz(0.0, 0.14, 0.0);
        commands.spawn((
            make.shape(Sphere::new(0.045).mesh().uv(16, 10), flower, top),
            ChildOf(of),
        ));
    }
}

/// What is open turns: a door by its component, another thing by what the judged world says of it.
fn swing(
    mut hinges: Query<(&Hinge, &mut Transform)>,
    things: Query<(&Attributes, Option<&Door>, Has<Moving>)>,
    mut commands: Commands,
    time: Res<Time>,
) {
    for (hinge, mut transform) in &mut hinges {
        let Ok((thing, door, moves)) = things.get(hinge.of) else {
            continue;
        };
        let open = match door {
            Some(door) => door.open,
            None => thing.0.get("open").is_some_and(WorldValue::truthy),
        };
        let goal = if open { hinge.open } else { hinge.closed };
        let angle = if moves { 2.0 * time.delta_secs() } else { PI };
        turn(&mut transform, goal, angle);
        if moves && transform.rotation == goal {
            commands.entity(hinge.of).remove::<Moving>();
        }
    }
}

/// The bar falls across a barred door.
fn fall(mut bars: Query<(&Bar, &mut Transform)>, doors: Query<&Door>, time: Res<Time>) {
    for (bar, mut transform) in &mut bars {
        let barred = doors.get(bar.of).is_ok_and(|door| door.barred);
        let goal = if barred { Quat::IDENTITY } else { UPRIGHT };
        turn(&mut transform, goal, 5.0 * time.delta_secs());
    }
}

fn turn(transform: &mut Mut<Transform>, goal: Quat, angle: f32) {
    if transform.rotation != goal {
        transform.rotation = transform.rotation.rotate_towards(goal, angle);
    }
}

/// What is carried hangs at its bearer's belt, and crosses the room when it is given. What was put down lies on the floor, and
/// what was used up is gone.
fn carry(
    mut things: Query<(
        Entity,
        Option<&PlacedIn>,
        &mut Carried,
        &mut Transform,
        &mut Visibility,
        Has<Moving>,
    )>,
    bearers: Query<&Transform, (Without<Carried>, With<Stands>)>,
    mut commands: Commands,
    time: Res<Time>,
) {
    let ease = 1.0 - (-5.0 * time.delta_secs()).exp();
    for (entity, placed, mut thing, mut transform, mut visibility, moves) in &mut things {
        let shown = if placed.is_some() {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        };
        visibility.set_if_neq(shown);
        let here = transform.translation;
        let goal = match placed.map(|placed| bearers.get(placed.0)) {
            Some(Ok(bearer)) => {
                thing.moved = true;
                bearer.transform_point(thing.belt)
            }
            Some(Err(_)) if thing.moved => here.with_y(height(here.xz()) + LYING),
            _ => continue,
        };
        let next = if moves { here.lerp(goal, ease) } else { goal };
        transform.set_if_neq(transform.with_translation(next));
        if moves && next.distance(goal) < ARRIVED {
            commands.entity(entity).remove::<Moving>();
        }
    }
}
