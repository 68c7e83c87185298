//! In low quality, a small picture in the whole window.

use super::Quality;
use crate::looks::camera::GameCamera;
use bevy::camera::{ImageRenderTarget, RenderTarget};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::window::PrimaryWindow;

/// In low quality, each side of a picture has this many times fewer pixels.
const SMALLER: f32 = 2.0;

/// Shows the small picture of low quality in the whole window: a camera, and what it sees.
#[derive(Component)]
pub(super) struct Canvas;

/// In low quality the camera draws a small picture, as large as the window wants it now.
pub(super) fn fit(
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
