//! How the game takes over what the player has chosen in the settings.

use super::Settings;
use super::engine::use_engine;
use crate::looks::Quality;
use crate::problems::reason;
use bevy::prelude::*;
use bevy_dramatis::engine::Budget;
use bevy_dramatis::npc::NpcBudget;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, Form, PromptBudget};
use bevy_dramatis::plans::Profile;
use bevy_dramatis::prelude::*;

/// Adds how it is taken over.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        apply.run_if(|settings: Res<Settings>| settings.wish.is_some()),
    )
    .add_observer(say_why_not);
}

/// What can be chosen.
#[derive(Clone, Copy)]
pub(super) enum Wish {
    Engine,
    Budget(PromptBudget),
    Calls(Option<u32>),
    Profile(Profile),
    Delivery(Delivery),
    Form(Option<Form>),
    Quality(Quality),
}

/// Does what the player has chosen.
fn apply(world: &mut World) {
    let Some(wish) = world.resource_mut::<Settings>().wish.take() else {
        return;
    };
    let mut problem = None;
    match wish {
        Wish::Engine => problem = use_engine(world).err(),
        Wish::Budget(budget) => world.insert_resource(budget),
        Wish::Calls(calls) => bound_calls(world, calls),
        // Who chooses a laxer profile here approves of it.
        Wish::Profile(profile) => world.commands().set_profile(profile, true),
        Wish::Delivery(delivery) => world.resource_mut::<DialoguePolicy>().0.delivery = delivery,
        Wish::Form(form) => world.resource_mut::<DialoguePolicy>().0.form = form,
        Wish::Quality(quality) => quality.choose(world),
    }
    world.resource_mut::<Settings>().problem = problem;
}

/// How often each character may ask its model in a minute.
fn bound_calls(world: &mut World, calls: Option<u32>) {
    let mut characters = world.query_filtered::<Entity, With<Npc>>();
    let characters: Vec<Entity> = characters.iter(world).collect();
    for character in characters {
        let budget = Budget { calls, ..default() };
        world.entity_mut(character).insert(NpcBudget(budget));
    }
}

/// A profile cannot always be chosen.
fn say_why_not(failed: On<CommandFailed>, mut settings: ResMut<Settings>) {
    if failed.command == "set_profile" {
        settings.problem = Some(format!("Not now: {}.", reason(&failed.error)));
    }
}
