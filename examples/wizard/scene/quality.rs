//! How much the picture may cost: F6 changes it. Where the processor draws, it starts low; where frames are slow, it becomes low.

use super::camera::GameCamera;
use bevy::camera::{ImageRenderTarget, RenderTarget};
use bevy::input::common_conditions::input_just_pressed;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;

/// A frame that takes longer than this many seconds is slow. With 60 frames a second one takes a sixtieth; where that is
/// missed on a screen of 60 pictures a second, a thirtieth.
const SLOW_FRAME: f32 = 1.0 / 40.0;
/// Frames in the first seconds are not counted: files are loaded then, and shaders are built.
const FIRST_SECONDS: f32 = 6.0;
/// How many frames are watched. If more than half of them were slow, quality becomes low.
const WATCHED_FRAMES: u32 = 180;

/// In low quality, each side of a picture has this many times fewer pixels.
const SMALLER: f32 = 2.0;

/// Adds the switch.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Startup,
        choose_by_machine.run_if(not(resource_exists::<Quality>)),
    )
    .add_systems(
        Update,
        (
            change.run_if(input_just_pressed(KeyCode::F6)),
            keep_up.run_if(resource_exists::<KeepsUp>),
            apply.run_if(resource_exists_and_changed::<Quality>),
            fit,
        )
            .chain(),
    );
}

/// How the picture is drawn. The code that inserts it chooses; otherwise it depends on the machine.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// Shadows, smooth edges, and light that shines around what is bright.
    High,
    /// None of these, and fewer pixels: for software rendering and old machines.
    Low,
}

impl Quality {
    /// The picture is drawn so from now on, however long that takes.
    pub fn choose(self, world: &mut World) {
        world.remove_resource::<KeepsUp>();
        world.insert_resource(self);
    }
}

fn choose_by_machine(adapter: Option<Res<RenderAdapterInfo>>, mut commands: Commands) {
    // Bevy does not hand on the type of this field.
    let is_cpu = adapter.is_some_and(|adapter| format!("{:?}", adapter.device_type) == "Cpu");
    commands.insert_resource(if is_cpu { Quality::Low } else { Quality::High });
    commands.init_resource::<KeepsUp>();
}

/// Watches how long frames take. It is there until quality was lowered once, or the player has chosen.
#[derive(Resource, Default)]
struct KeepsUp {
    frames: u32,
    slow: u32,
}

/// High quality becomes low where most frames are slow: a smooth picture is worth more than shadows.
fn keep_up(
    mut watched: ResMut<KeepsUp>,
    mut quality: ResMut<Quality>,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    time: Res<Time<Real>>,
    mut commands: Commands,
) {
    // A window without focus is drawn rarely.
    let is_seen = window.is_none_or(|window| window.focused);
    if !is_seen || *quality == Quality::Low || time.elapsed_secs() < FIRST_SECONDS {
        return;
    }
    watched.frames += 1;
    watched.slow += u32::from(time.delta_secs() > SLOW_FRAME);
    if watched.frames < WATCHED_FRAMES {
        return;
    }
    if watched.slow > WATCHED_FRAMES / 2 {
        info!("most frames take too long: the picture is drawn without shadows and glow now (F6)");
        *quality = Quality::Low;
        commands.remove_resource::<KeepsUp>();
    } else {
        *watched = KeepsUp::default();
    }
}

fn change(world: &mut World) {
    let other = match world.resource::<Quality>() {
        Quality::High => Quality::Low,
        Quality::Low => Quality::High,
    };
    other.choose(world);
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

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::system::RunSystemOnce;
    use bevy::time::TimeUpdateStrategy;
    use std::time::Duration;

    /// An app after twenty seconds in high quality, in which each frame took this number of milliseconds.
    fn after(milliseconds: u64) -> App {
        let mut app = App::new();
        let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(milliseconds));
        app.add_plugins(MinimalPlugins)
            .insert_resource(frame)
            .insert_resource(Quality::High)
            .init_resource::<KeepsUp>()
            .add_systems(Update, keep_up.run_if(resource_exists::<KeepsUp>));
        for _ in 0..20_000 / milliseconds {
            app.update();
        }
        app
    }

    #[test]
    fn quality_falls_once_where_most_frames_are_slow() {
        assert_eq!(*after(16).world().resource::<Quality>(), Quality::High);
        let mut slow = after(30);
        assert_eq!(*slow.world().resource::<Quality>(), Quality::Low);
        // A player who still wants it gets it.
        slow.insert_resource(Quality::High);
        for _ in 0..500 {
            slow.update();
        }
        assert_eq!(*slow.world().resource::<Quality>(), Quality::High);
    }

    #[test]
    fn who_chooses_is_not_corrected() {
        let mut app = after(16);
        app.world_mut().run_system_once(change).unwrap();
        app.world_mut().run_system_once(change).unwrap();
        let slow = TimeUpdateStrategy::ManualDuration(Duration::from_millis(40));
        app.insert_resource(slow);
        for _ in 0..500 {
            app.update();
        }
        assert_eq!(*app.world().resource::<Quality>(), Quality::High);
    }
}
