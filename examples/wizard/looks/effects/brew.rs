//! The brew in the cauldron.

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::Attributes;

/// How many ingredients make a potion.
const ENOUGH: i64 = 2;

/// Adds the bubbles and the colour.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Stirred>()
        .add_systems(Update, (bubble, colour))
        // Something has been put into the cauldron.
        .add_observer(|_: On<Applied<Use>>, mut stirred: ResMut<Stirred>| stirred.0 = 4.0);
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

/// How many seconds the cauldron still almost boils over.
#[derive(Resource, Default)]
struct Stirred(f32);

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
