//! What moves by itself: flames, bubbles, rain, the stars.

use super::yard::RAIN;
use crate::door::Weather;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Attributes;

/// Adds what moves.
pub fn plugin(app: &mut App) {
    app.init_resource::<Stirred>()
        .add_systems(Update, (flicker, bubble, colour, fall, turn))
        // Something has been put into the cauldron.
        .add_observer(|_: On<Applied<Use>>, mut stirred: ResMut<Stirred>| stirred.0 = 4.0);
}

/// A flame, or its light, that is never quite still.
#[derive(Component)]
pub struct Flicker {
    /// Where in its motion it starts, so that no two are alike.
    phase: f32,
    /// How bright a light is in the mean.
    bright: f32,
}

impl Flicker {
    pub fn flame(phase: f32) -> Self {
        Self { phase, bright: 0.0 }
    }

    pub fn light(bright: f32) -> Self {
        Self {
            phase: bright % 7.0,
            bright,
        }
    }
}

/// A bubble on the brew.
#[derive(Component)]
pub struct Bubble {
    phase: f32,
    start: Option<Vec3>,
}

impl Bubble {
    pub fn new(phase: f32) -> Self {
        Self { phase, start: None }
    }
}

/// The brew in a cauldron: with enough in it, it is a potion.
#[derive(Component)]
pub struct Brew {
    /// The cauldron.
    pub of: Entity,
    pub raw: Handle<StandardMaterial>,
    pub potion: Handle<StandardMaterial>,
}

/// How many ingredients make a potion.
const ENOUGH: i64 = 2;

/// How many seconds the cauldron still almost boils over.
#[derive(Resource, Default)]
struct Stirred(f32);

/// It turns about the sky's axis. Holds the speed in radians per second.
#[derive(Component)]
pub struct Turning(pub f32);

/// A block of rain. `above` says how many blocks it is above the lower one.
#[derive(Component)]
pub struct Rain {
    pub above: f32,
}

fn flicker(
    mut flames: Query<(&Flicker, &mut Transform, Option<&mut PointLight>)>,
    time: Res<Time>,
) {
    let t = time.elapsed_secs();
    for (flicker, mut transform, light) in &mut flames {
        let p = flicker.phase;
        let wave = 0.5 * (t * 9.0 + p).sin()
            + 0.3 * (t * 17.0 + 2.3 * p).sin()
            + 0.2 * (t * 31.0 + p).sin();
        match light {
            Some(mut light) => light.intensity = flicker.bright * (1.0 + 0.12 * wave),
            None => transform.scale = vec3(1.0 - 0.12 * wave, 1.0 + 0.25 * wave, 1.0 - 0.12 * wave),
        }
    }
}

fn bubble(
    mut bubbles: Query<(&mut Bubble, &mut Transform)>,
    mut stirred: ResMut<Stirred>,
    time: Res<Time>,
) {
    stirred.0 = (stirred.0 - time.delta_secs()).max(0.0);
    let wild = stirred.0.min(1.0);
    for (mut bubble, mut transform) in &mut bubbles {
        let start = *bubble.start.get_or_insert(transform.translation);
        bubble.phase += time.delta_secs() * (0.45 + 1.2 * wild);
        let part = bubble.phase.fract();
        // It swells, rises a little, and is gone.
        transform.translation = start + Vec3::Y * part * part * (0.10 + 0.75 * wild);
        transform.scale =
            Vec3::splat((part * 1.4).min(1.0) * (1.0 - part * part) * (0.7 + 0.6 * wild));
    }
}

fn colour(
    mut brews: Query<(&Brew, &mut MeshMaterial3d<StandardMaterial>)>,
    cauldrons: Query<&Attributes>,
) {
    for (brew, mut material) in &mut brews {
        let cauldron = cauldrons.get(brew.of).ok();
        let ingredients = cauldron.and_then(|cauldron| cauldron.0.get("ingredients"));
        let is_potion = matches!(ingredients, Some(WorldValue::Int(count)) if *count >= ENOUGH);
        let wanted = if is_potion { &brew.potion } else { &brew.raw };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
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
