//! The rain, and the stars.

use crate::looks::sky::RAIN;
use crate::weather::Weather;
use bevy::prelude::*;

/// Adds how rain falls and stars turn.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (fall, turn));
}

/// It turns about the sky's axis. Holds the speed in radians per second.
#[derive(Component)]
pub struct Turning(pub f32);

/// A block of rain. `above` says how many blocks it is above the lower one.
#[derive(Component)]
pub struct Rain {
    pub above: f32,
}

fn fall(mut rain: Query<(&Rain, &mut Transform)>, weather: Res<Weather>, time: Res<Time>) {
    let speed = if weather.is_storm() { 15.0 } else { 8.0 };
    let fallen = (time.elapsed_secs() * speed) % RAIN.y;
    for (rain, mut transform) in &mut rain {
        transform.translation = vec3(5.6, rain.above * RAIN.y - fallen, -6.5);
        transform.rotation = Quat::from_rotation_z(if weather.is_storm() { -0.18 } else { 0.0 });
    }
}

fn turn(mut turning: Query<(&Turning, &mut Transform)>, time: Res<Time>) {
    for (turning, mut transform) in &mut turning {
        transform.rotate_y(turning.0 * time.delta_secs());
    }
}
