//! The camera, which follows the player, and the one that egui draws on.

use super::walk::Steered;
use bevy::camera::CameraOutputMode;
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_dramatis::inspector::InspectorSettings;
use bevy_egui::PrimaryEguiContext;

/// From what the camera looks at to where it is.
const BEHIND: Vec3 = vec3(0.0, 2.3, 7.7);
/// Where it looks.
const AHEAD: Vec3 = vec3(0.0, -1.95, -7.7);
/// Up to this far to the right, the camera looks as it does inside; over the next metres it changes to how it looks outside.
const INSIDE_UP_TO: f32 = 2.2;
const PASSAGE: f32 = 2.6;
/// How much it moves to the side while the inspector covers the right of the window.
const ASIDE: f32 = 2.6;

/// Adds the cameras.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, place)
        .add_systems(Update, follow.after(super::walk::WalkSystems));
}

/// The camera that sees the game.
#[derive(Component)]
pub struct GameCamera;

fn place(mut commands: Commands) {
    commands.spawn((
        GameCamera,
        Camera3d::default(),
        Transform::from_translation(look_from(vec3(6.0, 0.0, -1.5))).looking_to(AHEAD, Vec3::Y),
        DistanceFog {
            color: Color::srgb(0.10, 0.12, 0.22),
            falloff: FogFalloff::Linear {
                start: 14.0,
                end: 46.0,
            },
            ..default()
        },
    ));
    // Egui draws on a camera of its own, over the picture of the first: nothing tone-maps the text.
    commands.spawn((
        Camera2d,
        Msaa::Off,
        Camera {
            order: 10,
            clear_color: ClearColorConfig::Custom(Color::NONE),
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            ..default()
        },
        PrimaryEguiContext,
    ));
}

/// Where the camera must be to see a player who is here. In the room it sees all of the room.
fn look_from(player: Vec3) -> Vec3 {
    let outside = vec3(player.x.clamp(-1.2, 12.0), 1.25, player.z * 0.5 - 0.8);
    let inside = vec3(player.x * 0.35 - 0.9, 1.25, -0.9);
    let how_far_out = ((player.x - INSIDE_UP_TO) / PASSAGE).clamp(0.0, 1.0);
    inside.lerp(outside, how_far_out) + BEHIND
}

fn follow(
    mut camera: Single<&mut Transform, With<GameCamera>>,
    player: Single<&Transform, (With<Steered>, Without<GameCamera>)>,
    settings: Res<InspectorSettings>,
    time: Res<Time>,
) {
    let aside = if settings.open { ASIDE } else { 0.0 };
    let goal = look_from(player.translation) + Vec3::X * aside;
    camera
        .translation
        .smooth_nudge(&goal, 3.0, time.delta_secs());
}
