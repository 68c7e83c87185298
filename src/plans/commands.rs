//! Commands for plans.

use super::event::PlanGoal;
use super::plan::PlanId;
use super::profile::Profile;
use super::submit::{
    approve_plan, ask_goal, ask_plan, deny_plan, hold_plan, regenerate_plan, set_profile,
};
use crate::npc::{LoadedCharacter, PlayerId, attempt};
use bevy::prelude::*;

/// Commands that ask a character for a plan.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::plans::{PlanCharacterExt, PlanCommandsExt};
/// use bevy_dramatis::prelude::*;
///
/// fn wish(mut commands: Commands, wizard: Single<Entity, With<LoadedCharacter>>) {
///     commands.entity(*wizard).ask_plan("Bring me the brass key.");
/// }
///
/// // A player that always says yes.
/// fn agree(question: On<PlanQuestion>, mut commands: Commands) {
///     commands.approve_plan(question.plan);
/// }
/// # bevy::ecs::system::assert_is_system(wish);
/// ```
pub trait PlanCharacterExt {
    /// The player asks for something that takes several steps. A request that cannot be taken is reported as
    /// [`RequestRefused`](crate::events::RequestRefused).
    fn ask_plan(&mut self, text: impl Into<String>) -> &mut Self;
    /// The character gets a goal of its own. A goal that cannot be taken is reported as
    /// [`RequestRefused`](crate::events::RequestRefused).
    fn plan_goal(&mut self, goal: PlanGoal) -> &mut Self;
}

impl PlanCharacterExt for EntityCommands<'_> {
    fn ask_plan(&mut self, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        with_character(self, move |world, npc| {
            let player = world.get_resource_or_init::<PlayerId>().0.clone();
            ask_plan(world, npc, &player, &text);
        })
    }

    fn plan_goal(&mut self, goal: PlanGoal) -> &mut Self {
        with_character(self, move |world, npc| {
            ask_goal(world, npc, goal);
        })
    }
}

fn with_character<'a, 'w>(
    commands: &'a mut EntityCommands<'w>,
    then: impl FnOnce(&mut World, &str) + Send + 'static,
) -> &'a mut EntityCommands<'w> {
    let entity = commands.id();
    commands.commands().queue(move |world: &mut World| {
        let id = LoadedCharacter::id_of(world, entity).map(|id| id.to_string());
        then(world, &id.unwrap_or_else(|| entity.to_string()));
    });
    commands
}

/// Commands for the player's answers to plans. A command that cannot be done is reported as
/// [`CommandFailed`](crate::events::CommandFailed), and changes nothing.
pub trait PlanCommandsExt {
    /// Says yes: to what was understood, or to carrying out the plan.
    fn approve_plan(&mut self, plan: PlanId);
    /// Says no. What the plan has done already is taken back.
    fn deny_plan(&mut self, plan: PlanId);
    /// Asks for another plan for the same wish.
    fn regenerate_plan(&mut self, plan: PlanId);
    /// Holds a plan before its next step (`true`), or lets it go on.
    fn hold_plan(&mut self, plan: PlanId, hold: bool);
    /// Sets the profile. A stricter one counts at once, also for plans that wait to begin. A laxer one fails while a plan is carried
    /// out, above the ceiling of [`PlanSettings`](super::PlanSettings), and where no player has `approved` it.
    fn set_profile(&mut self, profile: Profile, approved: bool);
}

impl PlanCommandsExt for Commands<'_, '_> {
    fn approve_plan(&mut self, plan: PlanId) {
        attempt(self, "approve_plan", move |world| approve_plan(world, plan));
    }

    fn deny_plan(&mut self, plan: PlanId) {
        attempt(self, "deny_plan", move |world| deny_plan(world, plan));
    }

    fn regenerate_plan(&mut self, plan: PlanId) {
        attempt(self, "regenerate_plan", move |world| {
            regenerate_plan(world, plan)
        });
    }

    fn hold_plan(&mut self, plan: PlanId, hold: bool) {
        attempt(self, "hold_plan", move |world| hold_plan(world, plan, hold));
    }

    fn set_profile(&mut self, profile: Profile, approved: bool) {
        attempt(self, "set_profile", move |world| {
            set_profile(world, profile, approved)
        });
    }
}
