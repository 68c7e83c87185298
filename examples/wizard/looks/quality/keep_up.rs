//! Watches how long frames take.

use super::Quality;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

/// A frame that takes longer than this many seconds is slow. With 60 frames a second one takes a sixtieth; where that is
/// missed on a screen of 60 pictures a second, a thirtieth.
const SLOW_FRAME: f32 = 1.0 / 40.0;
/// Frames in the first seconds are not counted: files are loaded then, and shaders are built.
const FIRST_SECONDS: f32 = 6.0;
/// How many frames are watched. If more than half of them were slow, quality becomes low.
const WATCHED_FRAMES: u32 = 180;

/// Watches how long frames take. It is there until quality was lowered once, or the player has chosen.
#[derive(Resource, Default)]
pub(super) struct KeepsUp {
    frames: u32,
    slow: u32,
}

/// High quality becomes low where most frames are slow: a smooth picture is worth more than shadows.
pub(super) fn keep_up(
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
