//! How much the picture may cost: F6 changes it. Where the processor draws, it starts low.

use super::camera::GameCamera;
use bevy::camera::{ImageRenderTarget, RenderTarget};
use bevy::input::common_conditions::input_just_pressed;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;

/// In low quality a picture has so many times fewer pixels on each side.
const SMALLER: f32 = 2.0;

/// Adds the switch.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, choose.run_if(not(resource_exists::<Quality>)))
        .add_systems(
            Update,
            (
                change.run_if(input_just_pressed(KeyCode::F6)),
                apply.run_if(resource_exists_and_changed::<Quality>),
                fit,
            )
                .chain(),
        );
}

/// How the picture is drawn. Who inserts it chooses; else it depends on the machine.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// Shadows, smooth edges, and light that shines around what is bright.
    High,
    /// None of these, and fewer pixels: for software rendering and old machines.
    Low,
}

fn choose(adapter: Option<Res<RenderAdapterInfo>>, mut commands: Commands) {
    // Bevy does not hand on the type of this field.
    let is_cpu = adapter.is_some_and(|adapter| format!("{:?}", adapter.device_type) == "Cpu");
    commands.insert_resource(if is_cpu { Quality::Low } else { Quality::High });
}

fn change(mut quality: ResMut<Quality>) {
    *quality = match *quality {
        Quality::High => Quality::Low,
        Quality::Low => Quality::High,
    };
}

/// Shows the small picture of low quality in the whole window: a camera, and what it sees.
#[derive(Component)]
struct Canvas;

fn apply(
    quality: Res<Quality>,
    camera: Single<Entity, With<GameCamera>>,
    canvases: Query<Entity, With<Canvas>>,
    mut fires: Query<&mut PointLight>,
    mut moons: Query<&mut DirectionalLight>,
    mut commands: Commands,
) {
    let high = *quality == Quality::High;
    let mut camera = commands.entity(*camera);
    if high {
        camera.insert((Bloom::NATURAL, Msaa::Sample4, RenderTarget::default()));
    } else {
        camera.remove::<Bloom>().insert(Msaa::Off);
    }
    for canvas in &canvases {
        commands.entity(canvas).despawn();
    }
    for mut moon in &mut moons {
        moon.shadow_maps_enabled = high;
    }
    // Only the hearth throws shadows.
    for mut fire in &mut fires {
        fire.shadow_maps_enabled = high && fire.intensity > 400_000.0;
    }
}

/// In low quality the camera draws a small picture, as large as the window wants it now.
fn fit(
    quality: Res<Quality>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(Entity, &RenderTarget), With<GameCamera>>,
    canvases: Query<Entity, With<Canvas>>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let size = (window.physical_size().as_vec2() / SMALLER).as_uvec2();
    let (camera, target) = *camera;
    let drawn = target.as_image().and_then(|image| images.get(image));
    let fits = drawn.is_some_and(|image| image.size() == size);
    if *quality == Quality::High || fits || size.x == 0 || size.y == 0 {
        return;
    }
    let picture = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
    let picture = images.add(picture);
    let target = ImageRenderTarget {
        handle: picture.clone(),
        // So a place in the picture has the same coordinates as in the window.
        scale_factor: window.scale_factor() / SMALLER,
    };
    commands.entity(camera).insert(RenderTarget::Image(target));
    for canvas in &canvases {
        commands.entity(canvas).despawn();
    }
    let whole = Node {
        width: percent(100),
        height: percent(100),
        ..default()
    };
    let shows = Camera {
        order: 5,
        ..default()
    };
    let eye = commands.spawn((Canvas, Camera2d, Msaa::Off, shows)).id();
    commands.spawn((Canvas, whole, ImageNode::new(picture), UiTargetCamera(eye)));
}
