//! What it looks like. Nothing here decides anything: shapes follow the judged world, wherever its things are and
//! whatever is true of them.

use crate::door::{DOOR, Door};
use crate::game::{PLAYER, WIZARD};
use bevy::light::GlobalAmbientLight;
use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorSettings;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Attributes;
use bevy_egui::PrimaryEguiContext;

/// From a character's feet to where its words appear.
pub const HEAD: Vec3 = vec3(0.0, 2.75, 0.0);
/// The middle of the doorway.
const DOORWAY: Vec3 = vec3(2.2, 0.0, -3.0);

/// How high a key stands that nobody carries.
const LYING: f32 = 0.24;
/// Of a bar that is not across its door.
const UPRIGHT: Quat = Quat::from_xyzw(
    0.0,
    0.0,
    std::f32::consts::FRAC_1_SQRT_2,
    std::f32::consts::FRAC_1_SQRT_2,
);

/// Adds the scene.
pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb_u8(18, 22, 38)))
        .insert_resource(GlobalAmbientLight {
            color: Color::srgb_u8(150, 165, 215),
            brightness: 160.0,
            ..default()
        })
        .add_systems(Startup, (build_tower, place_cameras))
        .add_systems(Update, (swing, fall, walk, carry, flicker, make_room))
        .add_observer(give_shape);
}

/// The camera that sees the game.
#[derive(Component)]
pub struct GameCamera;

/// A part that turns when `of` opens.
#[derive(Component)]
struct Hinge {
    of: Entity,
    closed: Quat,
    open: Quat,
}

/// The bar of a door: across it, or upright beside it.
#[derive(Component)]
struct Bar {
    of: Entity,
}

/// Walks to where the world says that it is.
#[derive(Component)]
struct Walks;

/// Hangs at the belt of who carries it, here.
#[derive(Component)]
struct Carried(Vec3);

#[derive(Component)]
struct Flame;

type Shape = (Mesh3d, MeshMaterial3d<StandardMaterial>, Transform);

/// Makes boxes and other simple shapes.
struct Shapes<'a> {
    meshes: &'a mut Assets<Mesh>,
    materials: &'a mut Assets<StandardMaterial>,
}

impl Shapes<'_> {
    fn shape(&mut self, mesh: impl Into<Mesh>, colour: Color, at: Vec3) -> Shape {
        let material = StandardMaterial {
            base_color: colour,
            perceptual_roughness: 0.9,
            ..default()
        };
        (
            Mesh3d(self.meshes.add(mesh.into())),
            MeshMaterial3d(self.materials.add(material)),
            Transform::from_translation(at),
        )
    }

    fn block(&mut self, size: Vec3, colour: Color, at: Vec3) -> Shape {
        self.shape(Cuboid::from_size(size), colour, at)
    }

    /// A shape that shines by itself.
    fn glow(&mut self, mesh: impl Into<Mesh>, colour: Color, at: Vec3) -> Shape {
        let material = StandardMaterial {
            base_color: colour,
            emissive: colour.to_linear() * 4.0,
            ..default()
        };
        (
            Mesh3d(self.meshes.add(mesh.into())),
            MeshMaterial3d(self.materials.add(material)),
            Transform::from_translation(at),
        )
    }
}

const STONE: Color = Color::srgb(0.42, 0.40, 0.42);
const DARK_STONE: Color = Color::srgb(0.30, 0.29, 0.32);
const WOOD: Color = Color::srgb(0.38, 0.23, 0.12);
const DARK_WOOD: Color = Color::srgb(0.24, 0.14, 0.08);
const BRASS: Color = Color::srgb(0.95, 0.72, 0.22);
const IRON: Color = Color::srgb(0.55, 0.57, 0.62);
const SKIN: Color = Color::srgb(0.85, 0.66, 0.52);
const ROBE: Color = Color::srgb(0.25, 0.20, 0.55);
const BEARD: Color = Color::srgb(0.88, 0.88, 0.86);

/// The room, cut open towards the camera, and the yard behind its wall.
fn build_tower(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut make = Shapes {
        meshes: &mut meshes,
        materials: &mut materials,
    };
    // Floor, yard, walls; the back wall has a doorway and a window.
    commands.spawn(make.block(vec3(9.0, 0.2, 6.2), STONE, vec3(0.0, -0.1, 0.0)));
    commands.spawn(make.block(
        vec3(30.0, 0.2, 12.0),
        Color::srgb(0.13, 0.20, 0.13),
        vec3(0.0, -0.15, -9.0),
    ));
    for (width, x) in [(5.9, -1.55), (1.5, 3.75)] {
        commands.spawn(make.block(vec3(width, 3.6, 0.3), DARK_STONE, vec3(x, 1.8, -3.0)));
    }
    let lintel = DOORWAY + Vec3::Y * 3.0;
    commands.spawn(make.block(vec3(1.6, 1.2, 0.3), DARK_STONE, lintel));
    for x in [-4.5, 4.5] {
        commands.spawn(make.block(vec3(0.3, 3.6, 6.2), DARK_STONE, vec3(x, 1.8, 0.0)));
    }
    let moonlight = Color::srgb(0.35, 0.45, 0.75);
    commands.spawn(make.block(vec3(1.3, 1.5, 0.1), DARK_WOOD, vec3(-0.1, 2.2, -2.84)));
    for (x, y) in [(-0.38, 1.87), (0.18, 1.87), (-0.38, 2.53), (0.18, 2.53)] {
        let pane = Cuboid::new(0.48, 0.58, 0.1);
        commands.spawn(make.glow(pane, Color::srgb(0.17, 0.22, 0.37), vec3(x, y, -2.82)));
    }
    // A rug, a bookshelf, a table with a candle.
    let rug = Cylinder::new(1.5, 0.03);
    commands.spawn(make.shape(rug, Color::srgb(0.45, 0.12, 0.14), vec3(-1.0, 0.01, 0.2)));
    commands.spawn(make.block(vec3(1.9, 2.4, 0.5), DARK_WOOD, vec3(-3.2, 1.2, -2.6)));
    for i in 0..21u8 {
        let (row, column) = (f32::from(i / 7), f32::from(i % 7));
        let hue = f32::from(i) * 47.0 % 360.0;
        let size = vec3(0.17, 0.42 + 0.05 * f32::from(i % 3), 0.3);
        let at = vec3(-3.85 + column * 0.22, 0.5 + row * 0.75, -2.4);
        commands.spawn(make.block(size, Color::hsl(hue, 0.45, 0.35), at));
    }
    commands.spawn(make.block(vec3(1.3, 0.1, 0.9), WOOD, vec3(-3.3, 0.9, 0.6)));
    commands.spawn(make.block(vec3(0.9, 0.9, 0.5), DARK_WOOD, vec3(-3.3, 0.42, 0.6)));
    let candle = Cylinder::new(0.07, 0.3);
    commands.spawn(make.shape(candle, BEARD, vec3(-3.3, 1.1, 0.6)));
    commands.spawn((
        make.glow(
            Sphere::new(0.07),
            Color::srgb(1.0, 0.75, 0.35),
            vec3(-3.3, 1.33, 0.6),
        ),
        PointLight {
            color: Color::srgb(1.0, 0.72, 0.42),
            intensity: 260_000.0,
            range: 18.0,
            shadow_maps_enabled: true,
            ..default()
        },
        Flame,
    ));
    // A lamp over the room, and the moon over the yard.
    commands.spawn((
        PointLight {
            color: Color::srgb(1.0, 0.85, 0.65),
            intensity: 420_000.0,
            range: 20.0,
            ..default()
        },
        Transform::from_xyz(0.5, 4.2, 3.0),
    ));
    commands.spawn((
        PointLight {
            color: moonlight,
            intensity: 900_000.0,
            range: 20.0,
            ..default()
        },
        Transform::from_xyz(3.0, 4.0, -6.5),
    ));
}

fn place_cameras(mut commands: Commands) {
    commands.spawn((
        GameCamera,
        Camera3d::default(),
        Transform::from_xyz(0.0, 3.4, 8.6).looking_at(vec3(0.0, 0.95, -1.0), Vec3::Y),
    ));
    // Egui draws on a camera of its own, over the picture of the first: nothing tone-maps the text.
    commands.spawn((
        Camera2d,
        Camera {
            order: 10,
            clear_color: ClearColorConfig::None,
            ..default()
        },
        PrimaryEguiContext,
    ));
}

/// The story says what exists. What gets an id that is known here gets a shape.
fn give_shape(
    added: On<Add, WorldId>,
    ids: Query<&WorldId>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut make = Shapes {
        meshes: &mut meshes,
        materials: &mut materials,
    };
    let entity = added.entity;
    let Ok(WorldId(id)) = ids.get(entity) else {
        return;
    };
    let mut thing = commands.entity(entity);
    match id.as_str() {
        WIZARD => {
            thing.insert((Transform::from_xyz(-1.0, 0.0, 0.2), Visibility::default()));
            thing.with_children(|body| {
                figure(body, &mut make, ROBE);
                body.spawn(make.shape(Cone::new(0.30, 0.75), ROBE, vec3(0.0, 2.28, 0.0)));
                body.spawn(make.shape(Cylinder::new(0.42, 0.05), ROBE, vec3(0.0, 1.95, 0.0)));
                let mut beard = Transform::from_xyz(0.0, 1.45, 0.2);
                beard.rotate_x(std::f32::consts::PI);
                body.spawn(make.shape(Cone::new(0.18, 0.55), BEARD, Vec3::ZERO))
                    .insert(beard);
                let staff = Cylinder::new(0.04, 2.1);
                body.spawn(make.shape(staff, DARK_WOOD, vec3(-0.62, 1.05, 0.25)));
                let orb = Color::srgb(0.45, 0.85, 0.95);
                body.spawn(make.glow(Sphere::new(0.12), orb, vec3(-0.62, 2.2, 0.25)));
            });
        }
        PLAYER => {
            thing.insert((
                Transform::from_translation(DOORWAY + vec3(0.0, 0.0, -2.4)),
                Visibility::default(),
                Walks,
            ));
            thing.with_children(|body| {
                let coat = Color::srgb(0.20, 0.42, 0.28);
                figure(body, &mut make, coat);
                let hood = Sphere::new(0.29);
                body.spawn(make.shape(hood, coat, vec3(0.0, 1.8, -0.08)));
            });
        }
        DOOR => {
            let hinge = DOORWAY + vec3(-0.8, 0.0, 0.0);
            thing.insert((Transform::from_translation(hinge), Visibility::default()));
            thing.with_children(|door| {
                let hinge = Hinge {
                    of: entity,
                    closed: Quat::IDENTITY,
                    open: Quat::from_rotation_y(-1.9),
                };
                door.spawn((hinge, Transform::default(), Visibility::default()))
                    .with_children(|leaf| {
                        leaf.spawn(make.block(vec3(1.56, 2.36, 0.14), WOOD, vec3(0.8, 1.2, 0.0)));
                        for y in [0.5, 1.9] {
                            let band = vec3(1.5, 0.14, 0.18);
                            leaf.spawn(make.block(band, DARK_STONE, vec3(0.8, y, 0.0)));
                        }
                        let knob = Sphere::new(0.09);
                        leaf.spawn(make.shape(knob, BRASS, vec3(1.4, 1.15, 0.12)));
                    });
                door.spawn((
                    Bar { of: entity },
                    Transform::from_xyz(-0.12, 1.0, 0.24).with_rotation(UPRIGHT),
                    Visibility::default(),
                ))
                .with_child(make.block(
                    vec3(1.9, 0.16, 0.1),
                    DARK_WOOD,
                    vec3(0.92, 0.0, 0.0),
                ));
            });
        }
        "chest_1" => {
            thing.insert((Transform::from_xyz(0.1, 0.0, -2.2), Visibility::default()));
            thing.with_children(|chest| {
                let box_size = vec3(1.1, 0.5, 0.7);
                chest.spawn(make.block(box_size, DARK_STONE, vec3(0.0, 0.25, 0.0)));
                let hinge = Hinge {
                    of: entity,
                    closed: Quat::IDENTITY,
                    open: Quat::from_rotation_x(-1.2),
                };
                chest
                    .spawn((
                        hinge,
                        Transform::from_xyz(0.0, 0.5, -0.35),
                        Visibility::default(),
                    ))
                    .with_children(|lid| {
                        let lid_size = vec3(1.14, 0.16, 0.74);
                        lid.spawn(make.block(lid_size, WOOD, vec3(0.0, 0.08, 0.37)));
                        let lock = vec3(0.16, 0.2, 0.06);
                        lid.spawn(make.block(lock, BRASS, vec3(0.0, 0.0, 0.75)));
                    });
            });
        }
        "key_1" => {
            thing.insert((Transform::from_xyz(-0.6, 1.0, 0.6), Visibility::default()));
            thing.insert(Carried(vec3(0.62, 0.75, 0.45)));
            thing.with_children(|body| key(body, &mut make, BRASS));
        }
        "key_2" => {
            thing.insert((Transform::from_xyz(0.9, LYING, 0.4), Visibility::default()));
            thing.insert(Carried(vec3(-0.58, 0.75, 0.45)));
            thing.with_children(|body| key(body, &mut make, IRON));
        }
        _ => {}
    }
}

/// A ring, a shaft, a bit.
fn key(body: &mut ChildSpawnerCommands, make: &mut Shapes, colour: Color) {
    let mut ring = Transform::from_xyz(0.0, 0.16, 0.0);
    ring.rotate_x(std::f32::consts::FRAC_PI_2);
    body.spawn(make.shape(Torus::new(0.05, 0.11), colour, Vec3::ZERO))
        .insert(ring);
    let shaft = vec3(0.05, 0.3, 0.05);
    body.spawn(make.block(shaft, colour, vec3(0.0, -0.07, 0.0)));
    let bit = vec3(0.12, 0.05, 0.05);
    body.spawn(make.block(bit, colour, vec3(0.06, -0.19, 0.0)));
}

/// A robe, a head, two arms.
fn figure(body: &mut ChildSpawnerCommands, make: &mut Shapes, colour: Color) {
    body.spawn(make.shape(Cone::new(0.62, 1.6), colour, vec3(0.0, 0.8, 0.0)));
    body.spawn(make.shape(Sphere::new(0.26), SKIN, vec3(0.0, 1.72, 0.0)));
    for side in [-1.0, 1.0f32] {
        let mut arm = Transform::from_xyz(0.38 * side, 1.05, 0.15);
        arm.rotate_z(0.6 * side);
        body.spawn(make.shape(Capsule3d::new(0.1, 0.55), colour, Vec3::ZERO))
            .insert(arm);
        let hand = vec3(0.58 * side, 0.82, 0.22);
        body.spawn(make.shape(Sphere::new(0.09), SKIN, hand));
        let eye = vec3(0.09 * side, 1.76, 0.23);
        body.spawn(make.shape(Sphere::new(0.035), Color::BLACK, eye));
    }
}

/// What is open turns: a door by its component, another thing by what the judged world says of it.
fn swing(
    mut hinges: Query<(&Hinge, &mut Transform)>,
    things: Query<(&Attributes, Option<&Door>)>,
    time: Res<Time>,
) {
    for (hinge, mut transform) in &mut hinges {
        let open = things.get(hinge.of).is_ok_and(|(thing, door)| match door {
            Some(door) => door.open,
            None => thing.0.get("open").is_some_and(WorldValue::truthy),
        });
        let goal = if open { hinge.open } else { hinge.closed };
        turn(&mut transform, goal, 2.0 * time.delta_secs());
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

/// Who has changed places walks there.
fn walk(
    mut walkers: Query<(&PlacedIn, &mut Transform), With<Walks>>,
    places: Query<&WorldId>,
    time: Res<Time>,
) {
    for (placed, mut transform) in &mut walkers {
        let inside = places.get(placed.0).is_ok_and(|place| place.0 == "tower");
        let goal = DOORWAY + vec3(0.0, 0.0, if inside { 2.8 } else { -2.4 });
        let way = goal - transform.translation;
        if way.length() > 0.01 {
            transform.translation += way.clamp_length_max(1.5 * time.delta_secs());
        }
    }
}

/// What is carried follows its bearer, and crosses the room when it is given. What nobody carries lies on the floor.
fn carry(
    mut things: Query<(&PlacedIn, &Carried, &mut Transform)>,
    bearers: Query<&Transform, Without<Carried>>,
    time: Res<Time>,
) {
    for (placed, belt, mut transform) in &mut things {
        let here = transform.translation;
        let goal = match bearers.get(placed.0) {
            Ok(bearer) => bearer.translation + belt.0,
            Err(_) => here.with_y(LYING),
        };
        let way = goal - transform.translation;
        transform.translation += way * (1.0 - (-4.0 * time.delta_secs()).exp());
    }
}

fn flicker(mut flames: Query<&mut PointLight, With<Flame>>, time: Res<Time>) {
    let t = time.elapsed_secs();
    for mut light in &mut flames {
        light.intensity = 260_000.0 * (1.0 + 0.08 * (t * 9.0).sin() + 0.05 * (t * 23.0).sin());
    }
}

/// The scene moves aside while the inspector covers the right of the window.
fn make_room(
    mut camera: Single<&mut Transform, With<GameCamera>>,
    settings: Res<InspectorSettings>,
    time: Res<Time>,
) {
    let goal = if settings.open { 2.6 } else { 0.0 };
    let way = goal - camera.translation.x;
    if way.abs() > 0.001 {
        camera.translation.x += way * (1.0 - (-5.0 * time.delta_secs()).exp());
    }
}
