//! The look of the tower: flat shapes that follow the judged world, and walking. The camera shows a width of 1000 and a height of 560.

use crate::cast::{GARDENER, PLAYER, WIZARD};
use crate::page::{Asked, show};
use crate::tower::Listener;
use bevy::asset::RenderAssetUsages;
use bevy::camera::ScalingMode;
use bevy::ecs::system::SystemParam;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;
use bevy::time::common_conditions::on_timer;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Placement, WorldIndex, WorldState, WorldView};
use serde_json::json;
use std::f32::consts::TAU;
use std::time::Duration;

/// The place of a bubble, from the feet of its speaker.
pub const HEAD: Vec3 = vec3(0.0, 150.0, 0.0);
/// The height of the floor.
const FLOOR: f32 = -170.0;
/// The wall between the hall and the yard, and its door.
const WALL: f32 = 80.0;
/// The place of the hearth.
const HEARTH: f32 = -390.0;
/// The height of a block of rain.
const SKY: f32 = 580.0;
/// How fast characters walk, in units a second.
const PACE: f32 = 170.0;
/// How often the room compares itself with the judged world.
const LOOK: Duration = Duration::from_millis(100);

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.05, 0.06, 0.12)))
        .init_resource::<Paints>()
        .init_resource::<Stroll>()
        .add_systems(Startup, (build_places, build_things))
        .add_systems(
            Update,
            (
                follow_world.run_if(on_timer(LOOK)),
                walk,
                swing,
                flicker,
                rain,
            )
                .chain(),
        )
        .add_observer(point);
}

/// A thing of the judged world, by its id.
#[derive(Component)]
pub struct Thing(pub &'static str);

/// The place to which a thing moves.
#[derive(Component, Default)]
struct Goal(Option<Vec2>);

/// A part that opens with its thing: from the first transform to the second.
#[derive(Component)]
struct Opens(&'static str, [Transform; 2]);

/// Whether the thing is open.
#[derive(Component, Default)]
struct IsOpen(bool);

/// A part that is visible only while this is true in the judged world.
#[derive(Component)]
struct OnlyIf(fn(&WorldState) -> bool);

#[derive(Component)]
struct Flame(f32);

/// A block of rain, which falls again and again: its lower edge at its highest place.
#[derive(Component)]
struct Rain(f32);

/// How far the player has walked from the traveller's usual place in a location.
#[derive(Resource, Default)]
struct Stroll {
    by: f32,
    /// The id of the location.
    place: String,
}

/// Flat shapes in one mesh, so that they are drawn at once: each over those before it.
#[derive(Default)]
struct Picture {
    corners: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    triangles: Vec<u32>,
}

impl Picture {
    /// A fan of triangles.
    fn fan(&mut self, color: Color, corners: impl IntoIterator<Item = (f32, f32)>) -> &mut Self {
        let first = self.corners.len() as u32;
        self.corners
            .extend(corners.into_iter().map(|(x, y)| [x, y, 0.0]));
        let end = self.corners.len() as u32;
        let color = color.to_linear().to_f32_array();
        self.colors.resize(self.corners.len(), color);
        let corners = first + 1..end.saturating_sub(1);
        self.triangles
            .extend(corners.flat_map(|corner| [first, corner, corner + 1]));
        self
    }

    fn block(&mut self, (wide, high): (f32, f32), color: Color, (x, y): (f32, f32)) -> &mut Self {
        let (right, up) = (wide / 2.0, high / 2.0);
        let corners = [(-right, -up), (right, -up), (right, up), (-right, up)];
        self.fan(color, corners.map(|(dx, dy)| (x + dx, y + dy)))
    }

    fn ball(&mut self, radius: f32, color: Color, at: (f32, f32)) -> &mut Self {
        self.oval((radius, radius), color, at)
    }

    fn oval(&mut self, (wide, high): (f32, f32), color: Color, (x, y): (f32, f32)) -> &mut Self {
        let corner = |part: u8| f32::from(part) / 28.0 * TAU;
        let corners = (0..28).map(corner);
        self.fan(
            color,
            corners.map(|turn| (x + wide * turn.cos(), y + high * turn.sin())),
        )
    }

    fn mesh(&mut self) -> Mesh {
        let made = std::mem::take(self);
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, made.corners)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, made.colors)
        .with_inserted_indices(Indices::U32(made.triangles))
    }
}

/// Makes meshes and materials for what is spawned. All shapes share two materials: the colours are in the meshes.
#[derive(SystemParam)]
struct Studio<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    paints: Res<'w, Paints>,
}

#[derive(Resource)]
struct Paints {
    solid: Handle<ColorMaterial>,
    /// If the processor draws, this one is slow.
    clear: Handle<ColorMaterial>,
}

impl FromWorld for Paints {
    fn from_world(world: &mut World) -> Self {
        let mut paints = world.resource_mut::<Assets<ColorMaterial>>();
        Self {
            solid: paints.add(Color::WHITE),
            clear: paints.add(ColorMaterial {
                alpha_mode: AlphaMode2d::Blend,
                ..default()
            }),
        }
    }
}

impl Studio<'_> {
    fn hang(
        &mut self,
        picture: &mut Picture,
        at: Transform,
    ) -> (Mesh2d, MeshMaterial2d<ColorMaterial>, Transform) {
        let is_solid = picture.colors.iter().all(|[.., alpha]| *alpha >= 1.0);
        let paint = match is_solid {
            true => &self.paints.solid,
            false => &self.paints.clear,
        };
        let mesh = self.meshes.add(picture.mesh());
        (Mesh2d(mesh), MeshMaterial2d(paint.clone()), at)
    }
}

fn rgb(hex: u32) -> Color {
    let part = |shift: u32| (hex >> shift & 0xff) as u8;
    Color::srgb_u8(part(16), part(8), part(0))
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_xyz(x, y, z)
}

fn build_places(mut commands: Commands, mut studio: Studio) {
    commands.spawn((
        Camera2d,
        Msaa::Off,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::AutoMin {
                min_width: 1000.0,
                min_height: 560.0,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
    let mut picture = Picture::default();
    // The yard, under the sky.
    picture.ball(34.0, rgb(0xdfe3f0), (400.0, 200.0));
    for star in 0..40u16 {
        let place = (
            110.0 + chance(star, 1) * 400.0,
            -60.0 + chance(star, 2) * 340.0,
        );
        picture.ball(0.8 + chance(star, 3), rgb(0x8f9bc4), place);
    }
    for tree in 0..6u16 {
        let (x, high) = (
            150.0 + f32::from(tree) * 70.0,
            120.0 + 70.0 * chance(tree, 4),
        );
        let corners = [(x - 40.0, FLOOR), (x + 40.0, FLOOR), (x, FLOOR + high)];
        picture.fan(rgb(0x0f1f22), corners);
    }
    picture.block((560.0, 120.0), rgb(0x23342a), (380.0, FLOOR - 60.0));
    for herb in 0..9u16 {
        let place = (390.0 + f32::from(herb) * 13.0, FLOOR + 4.0);
        picture.ball(7.0, rgb(0x3f6b3c), place);
    }
    // The hall.
    picture.block((580.0, 460.0), rgb(0x2f2a36), (-210.0, 60.0));
    for stone in 0..60u16 {
        let (row, column) = (stone / 6, stone % 6);
        let shift = if row % 2 == 0 { 0.0 } else { 46.0 };
        let place = (
            -455.0 + f32::from(column) * 92.0 + shift,
            FLOOR + 22.0 + f32::from(row) * 44.0,
        );
        let grey = 0.20 + 0.05 * chance(stone, 5);
        let color = Color::srgb(grey, grey * 0.93, grey * 1.1);
        picture.block((88.0, 40.0), color, place);
    }
    picture.block((580.0, 120.0), rgb(0x4a3626), (-210.0, FLOOR - 60.0));
    for plank in 0..6u16 {
        let place = (-210.0, FLOOR - 14.0 - f32::from(plank) * 20.0);
        picture.block((580.0, 2.0), rgb(0x37271b), place);
    }
    // The window, the shelf, the hearth.
    picture
        .ball(40.0, rgb(0x1d2747), (-60.0, 110.0))
        .block((4.0, 80.0), rgb(0x2a2530), (-60.0, 110.0))
        .block((80.0, 4.0), rgb(0x2a2530), (-60.0, 110.0))
        .block((150.0, 8.0), rgb(0x5b4029), (-200.0, 40.0));
    for book in 0..9u16 {
        let high = 26.0 + 16.0 * chance(book, 6);
        let place = (-258.0 + f32::from(book) * 14.0, 44.0 + high / 2.0);
        let color = Color::hsl(360.0 * chance(book, 7), 0.35, 0.35);
        picture.block((11.0, high), color, place);
    }
    picture
        .block((120.0, 150.0), rgb(0x2a2228), (HEARTH, FLOOR + 75.0))
        .block((140.0, 14.0), rgb(0x514856), (HEARTH, FLOOR + 152.0));
    commands.spawn(studio.hang(&mut picture, at(0.0, 0.0, 0.0)));
    picture.ball(70.0, Color::srgba(1.0, 0.55, 0.2, 0.10), (0.0, 0.0));
    commands.spawn(studio.hang(&mut picture, at(HEARTH, FLOOR + 50.0, 0.5)));
    for (flame, (wide, high)) in [(40.0, 104.0), (27.0, 74.0), (14.0, 42.0)]
        .into_iter()
        .enumerate()
    {
        let color = [rgb(0xc8501e), rgb(0xf0902c), rgb(0xffd76a)][flame];
        picture.fan(color, [(-wide, 0.0), (wide, 0.0), (0.0, high)]);
        let flame = flame as f32;
        let place = at(HEARTH, FLOOR + 4.0, 1.0 + flame * 0.1);
        commands.spawn((studio.hang(&mut picture, place), Flame(flame)));
    }
    // The wall, its door, and the light that falls out of it.
    picture
        .block((40.0, 270.0), rgb(0x57505e), (WALL, 155.0))
        .block((40.0, 120.0), rgb(0x57505e), (WALL, FLOOR - 60.0));
    commands.spawn(studio.hang(&mut picture, at(0.0, 0.0, 2.0)));
    let edge = WALL + 20.0;
    let light = [(edge, FLOOR + 186.0), (edge, FLOOR), (edge + 210.0, FLOOR)];
    picture.fan(Color::srgba(1.0, 0.75, 0.4, 0.22), light);
    let is_open: fn(&WorldState) -> bool = |state| is_open(state, "door_1");
    commands.spawn((
        studio.hang(&mut picture, at(0.0, 0.0, 2.1)),
        OnlyIf(is_open),
        Visibility::Hidden,
    ));
    picture
        .block((110.0, 188.0), rgb(0x7a4b25), (-55.0, 0.0))
        .block((110.0, 8.0), rgb(0x3b3238), (-55.0, 60.0))
        .block((110.0, 8.0), rgb(0x3b3238), (-55.0, -60.0))
        .ball(6.0, rgb(0xd9b04c), (-96.0, -6.0));
    let hinge = at(WALL + 18.0, FLOOR + 94.0, 2.5);
    let ends = [0.33, 1.0].map(|wide| hinge.with_scale(vec3(wide, 1.0, 1.0)));
    commands.spawn((
        studio.hang(&mut picture, ends[0]),
        Opens("door_1", ends),
        IsOpen(false),
    ));
    for block in 0..2u8 {
        for drop in 0..36u16 {
            let place = (
                110.0 + chance(drop, 8) * 430.0,
                chance(drop, 9) * SKY - SKY / 2.0,
            );
            let grey = Color::srgba(0.65, 0.75, 1.0, 0.28);
            picture.block((1.6, 16.0), grey, place);
        }
        let up = f32::from(block) * SKY;
        commands.spawn((studio.hang(&mut picture, at(0.0, up, 6.0)), Rain(up)));
    }
}

fn build_things(mut commands: Commands, mut studio: Studio) {
    let mut picture = Picture::default();
    for (id, robe, hair, hat) in [
        (WIZARD, 0x39_4a86, 0xe6_e6ea, Some(0x2b_3768)),
        (GARDENER, 0x4f_7a45, 0x6b_4226, None),
        (PLAYER, 0x8a_4a32, 0x3a_2a20, None),
    ] {
        picture
            .fan(rgb(robe), [(-32.0, 0.0), (32.0, 0.0), (0.0, 104.0)])
            .ball(19.0, rgb(hair), (0.0, 104.0))
            .ball(15.0, rgb(0xe8bd97), (0.0, 101.0))
            .ball(1.9, rgb(0x241c1a), (-5.5, 103.0))
            .ball(1.9, rgb(0x241c1a), (5.5, 103.0));
        if let Some(hat) = hat {
            picture
                .fan(rgb(hair), [(-13.0, 96.0), (13.0, 96.0), (0.0, 52.0)])
                .fan(rgb(hat), [(-24.0, 112.0), (24.0, 112.0), (5.0, 168.0)]);
        }
        thing(&mut commands, &mut studio, id, 4.0, &mut picture);
    }
    for (id, metal) in [("key_1", 0xe0_b64a), ("key_2", 0x9a_a0ab)] {
        picture
            .ball(8.0, rgb(metal), (-9.0, 8.0))
            .ball(3.5, rgb(0x2a2228), (-9.0, 8.0))
            .block((22.0, 4.0), rgb(metal), (8.0, 8.0))
            .block((4.0, 8.0), rgb(metal), (16.0, 4.0));
        thing(&mut commands, &mut studio, id, 5.0, &mut picture);
    }
    for (id, flower) in [("herb_1", 0xd8_e8ff), ("herb_2", 0x8d_5aa8)] {
        picture
            .block((3.0, 22.0), rgb(0x4d7a3f), (0.0, 11.0))
            .ball(7.0, rgb(flower), (0.0, 24.0));
        thing(&mut commands, &mut studio, id, 5.0, &mut picture);
    }
    picture.block((84.0, 16.0), rgb(0x767b85), (0.0, 0.0));
    let ends = [
        at(0.0, 40.0, 0.1),
        at(-30.0, 62.0, 0.1).with_rotation(Quat::from_rotation_z(1.0)),
    ];
    let lid = studio.hang(&mut picture, ends[0]);
    picture
        .block((84.0, 40.0), rgb(0x5c6068), (0.0, 20.0))
        .block((10.0, 14.0), rgb(0xd9b04c), (0.0, 30.0));
    thing(&mut commands, &mut studio, "chest_1", 3.0, &mut picture).with_child((
        lid,
        Opens("chest_1", ends),
        IsOpen(false),
    ));
    let brews: [(u32, fn(&WorldState) -> bool); 2] = [
        (0x6f_9bb0, |state| brewed(state) == 1),
        (0x8f_6fd0, |state| brewed(state) > 1),
    ];
    let brews = brews.map(|(color, holds)| {
        picture.oval((34.0, 8.0), rgb(color), (0.0, 48.0));
        let surface = studio.hang(&mut picture, at(0.0, 0.0, 0.2));
        (surface, OnlyIf(holds), Visibility::Hidden)
    });
    picture
        .ball(36.0, rgb(0x1d1b20), (0.0, 30.0))
        .block((76.0, 8.0), rgb(0x34313a), (0.0, 50.0))
        .oval((34.0, 8.0), rgb(0x37505c), (0.0, 48.0));
    thing(&mut commands, &mut studio, "cauldron_1", 3.0, &mut picture).with_children(|cauldron| {
        for brew in brews {
            cauldron.spawn(brew);
        }
    });
}

/// A thing with this look. It is hidden until the judged world has it.
fn thing<'a>(
    commands: &'a mut Commands,
    studio: &mut Studio,
    id: &'static str,
    z: f32,
    picture: &mut Picture,
) -> EntityCommands<'a> {
    let looks = studio.hang(picture, at(0.0, FLOOR, z));
    commands.spawn((Thing(id), Goal::default(), looks, Visibility::Hidden))
}

/// A number from 0 to 1, always the same for the same input.
fn chance(of: u16, salt: u16) -> f32 {
    let mixed = u32::from(of)
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add(u32::from(salt).wrapping_mul(0x85eb_ca6b));
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    ((mixed ^ mixed >> 12) & 0xffff) as f32 / 65535.0
}

/// The place where a thing is visible, in the hall or in the yard.
fn spot(id: &str, place: &str) -> Option<Vec2> {
    let x = match (place, id) {
        ("tower", PLAYER) => 0.0,
        ("tower", WIZARD) => -120.0,
        ("tower", GARDENER) => -60.0,
        ("tower", "chest_1") => -205.0,
        ("tower", "cauldron_1") => -290.0,
        ("tower", "key_1") => -60.0,
        ("tower", "key_2") => -160.0,
        ("tower", "herb_1") => -440.0,
        ("tower", "herb_2") => -455.0,
        ("yard", PLAYER) => 180.0,
        ("yard", WIZARD) => 270.0,
        ("yard", GARDENER) => 350.0,
        ("yard", "key_1") => 210.0,
        ("yard", "key_2") => 240.0,
        ("yard", _) => 300.0,
        _ => return None,
    };
    // Things on the floor are in front of people.
    let is_someone = [PLAYER, WIZARD, GARDENER].contains(&id);
    Some(vec2(x, if is_someone { FLOOR } else { FLOOR - 8.0 }))
}

/// Moves everything to its place, and opens what is open.
fn follow_world(world: &mut World) {
    let state = WorldView::new(world).to_state();
    let player = state.entities.get(PLAYER).map(|player| &player.at);
    let mut stroll = world.resource_mut::<Stroll>();
    if let Some(Placement::In(place)) = player
        && *place != *stroll.place
    {
        *stroll = Stroll {
            by: 0.0,
            place: place.to_string(),
        };
    }
    let stroll = stroll.by;
    let mut things = world.query::<(&Thing, &mut Goal, &mut Transform, &mut Visibility)>();
    for (thing, mut goal, mut at, mut seen) in things.iter_mut(world) {
        let to = place_of(thing.0, &state, stroll);
        let is_new = *seen == Visibility::Hidden;
        if let Some(to) = to.filter(|_| is_new) {
            at.translation = to.extend(at.translation.z);
        }
        goal.0 = to;
        *seen = seen_if(to.is_some());
    }
    let mut hinges = world.query::<(&Opens, &mut IsOpen)>();
    for (hinge, mut open) in hinges.iter_mut(world) {
        open.0 = is_open(&state, hinge.0);
    }
    let mut some = world.query::<(&OnlyIf, &mut Visibility)>();
    for (only, mut seen) in some.iter_mut(world) {
        *seen = seen_if(only.0(&state));
    }
}

fn seen_if(holds: bool) -> Visibility {
    match holds {
        true => Visibility::Inherited,
        false => Visibility::Hidden,
    }
}

fn attribute<'a>(state: &'a WorldState, id: &str, name: &str) -> Option<&'a WorldValue> {
    state.entities.get(id)?.attributes.get(name)
}

fn is_open(state: &WorldState, id: &str) -> bool {
    attribute(state, id, "open").is_some_and(WorldValue::truthy)
}

/// How many ingredients are in the cauldron.
fn brewed(state: &WorldState) -> i64 {
    match attribute(state, "cauldron_1", "ingredients") {
        Some(WorldValue::Int(number)) => *number,
        _ => 0,
    }
}

fn place_of(id: &str, state: &WorldState, stroll: f32) -> Option<Vec2> {
    match &state.entities.get(id)?.at {
        Placement::In(place) => {
            let shift = if id == PLAYER { stroll } else { 0.0 };
            spot(id, place).map(|at| at + Vec2::X * shift)
        }
        Placement::CarriedBy(by) => {
            let hand = if id.starts_with("key") { 44.0 } else { 62.0 };
            let side = if id.ends_with('1') { 22.0 } else { -22.0 };
            place_of(by, state, stroll).map(|at| at + vec2(side, hand))
        }
        _ => None,
    }
}

fn walk(time: Res<Time>, mut things: Query<(&Thing, &Goal, &mut Transform)>) {
    let step = PACE * time.delta_secs();
    for (_, goal, mut at) in &mut things {
        if let Some(goal) = goal.0 {
            let way = goal - at.translation.truncate();
            at.translation += way.clamp_length_max(step).extend(0.0);
        }
    }
}

fn swing(time: Res<Time>, mut hinges: Query<(&Opens, &IsOpen, &mut Transform)>) {
    let part = (time.delta_secs() * 5.0).min(1.0);
    for (Opens(_, ends), open, mut at) in &mut hinges {
        let end = &ends[usize::from(open.0)];
        at.translation = at.translation.lerp(end.translation, part);
        at.rotation = at.rotation.slerp(end.rotation, part);
        at.scale = at.scale.lerp(end.scale, part);
    }
}

fn flicker(time: Res<Time>, mut flames: Query<(&Flame, &mut Transform)>) {
    for (flame, mut at) in &mut flames {
        let beat = time.elapsed_secs() * (7.0 + 2.0 * flame.0) + flame.0;
        at.scale.y = 1.0 + 0.12 * beat.sin();
    }
}

fn rain(time: Res<Time>, mut blocks: Query<(&Rain, &mut Transform)>) {
    for (rain, mut at) in &mut blocks {
        let fallen = (time.elapsed_secs() * 480.0 + rain.0) % (2.0 * SKY);
        at.translation.y = SKY - fallen;
    }
}

/// A click or a touch on the canvas, in thousandths of its size. On a character: the player then speaks to it. Beyond the wall: the player
/// goes there. Elsewhere: the player walks there. Also `left` and `right`, for the arrow keys.
fn point(
    asked: On<Asked>,
    mut commands: Commands,
    mut stroll: ResMut<Stroll>,
    mut listener: ResMut<Listener>,
    ids: Res<WorldIndex>,
    camera: Single<(&Camera, &GlobalTransform)>,
    things: Query<(&Thing, &Transform)>,
) {
    if asked.what != "point" {
        return;
    }
    let place = |id: &str| things.iter().find(|(thing, _)| thing.0 == id);
    let Some((_, player)) = place(PLAYER) else {
        return;
    };
    let me = player.translation.x;
    let (at, is_pointed) = match asked.words.as_str() {
        // From next to the wall a step leads to its other side.
        "left" => (vec2(me - 50.0, FLOOR), false),
        "right" => (vec2(me + 50.0, FLOOR), false),
        words => {
            let numbers = words.split_once(' ').map(|(x, y)| (x.parse(), y.parse()));
            let Some((Ok(x), Ok(y))) = numbers else {
                return;
            };
            let (camera, eye) = *camera;
            let size = camera.logical_viewport_size().unwrap_or(Vec2::ONE);
            let Ok(at) = camera.viewport_to_world_2d(eye, vec2(x, y) / 1000.0 * size) else {
                return;
            };
            (at, true)
        }
    };
    for id in [WIZARD, GARDENER] {
        let near = place(id).map(|(_, it)| it.translation.truncate() + Vec2::Y * 80.0);
        if is_pointed && near.is_some_and(|near| near.distance(at) < 80.0) {
            listener.0 = id;
            show("listener", json!(id));
            return;
        }
    }
    let inside = stroll.place == "tower";
    // On the way through the door an arrow leads on.
    let goes_in = match asked.words.as_str() {
        "left" => inside || at.x < WALL,
        "right" => inside && at.x < WALL,
        _ => at.x < WALL,
    };
    if inside == goes_in {
        let (home, least, most) = if inside {
            (0.0, -430.0, 40.0)
        } else {
            (180.0, 125.0, 470.0)
        };
        stroll.by = at.x.clamp(least, most) - home;
    } else if let Some(player) = ids.get(PLAYER) {
        let to = if goes_in {
            "go to the tower"
        } else {
            "go to the yard"
        };
        commands.entity(player).act(to);
    }
}
