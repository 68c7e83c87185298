//! How long frames take on this machine: `--frames` plays by itself for a while, prints it, and ends. Nothing waits for the
//! screen meanwhile.

use crate::game;
use crate::looks::Quality;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::{PresentMode, PrimaryWindow};
use std::time::{Duration, Instant};

/// Frames that are not counted: files are loaded and shaders are built in them.
const FIRST: usize = 120;
/// Frames that are counted.
const COUNTED: usize = 600;

/// What was measured so far.
#[derive(Resource, Default)]
struct FrameTimes {
    frames: usize,
    last: Option<Instant>,
    times: Vec<Duration>,
}

/// Measures, prints the result, and ends.
pub fn plugin(app: &mut App) {
    app.init_resource::<FrameTimes>()
        .add_systems(Startup, wait_for_nothing)
        .add_systems(First, measure);
}

fn wait_for_nothing(mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    for mut window in &mut windows {
        window.present_mode = PresentMode::AutoNoVsync;
    }
}

fn measure(
    mut seen: ResMut<FrameTimes>,
    adapter: Option<Res<RenderAdapterInfo>>,
    quality: Res<Quality>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let now = Instant::now();
    let took = seen.last.replace(now).map(|last| now - last);
    seen.frames += 1;
    // The player speaks from time to time, so that bubbles and the log are drawn, too.
    if seen.frames.is_multiple_of(FIRST) {
        commands.run_system_cached_with(game::enter, "What is the weather like?".to_owned());
    }
    if seen.frames <= FIRST {
        return;
    }
    seen.times.extend(took);
    if seen.times.len() < COUNTED {
        return;
    }
    seen.times.sort_unstable();
    let at = |share: usize| seen.times[COUNTED * share / 100].as_secs_f64() * 1_000.0;
    let drawn_by = adapter.map_or_else(|| "nothing".to_owned(), |adapter| adapter.name.clone());
    println!(
        "{COUNTED} frames in {:?} quality, drawn by {drawn_by}: half of them take up to {:.1} ms ({:.0} a second), 95 in 100 up to {:.1} ms",
        *quality,
        at(50),
        1_000.0 / at(50).max(0.001),
        at(95)
    );
    exit.write(AppExit::Success);
}
