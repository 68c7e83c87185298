//! How much the picture may cost: F6 changes it. Where the processor draws, it starts low; where frames are slow, it becomes low.

mod apply;
mod canvas;
mod keep_up;
#[cfg(test)]
mod tests;

use apply::apply;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use canvas::fit;
use keep_up::{KeepsUp, keep_up};

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

fn change(world: &mut World) {
    let other = match world.resource::<Quality>() {
        Quality::High => Quality::Low,
        Quality::Low => Quality::High,
    };
    other.choose(world);
}
