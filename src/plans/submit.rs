//! How plans are asked for, approved, denied, made again and held.

use super::answer::recorded_answer;
use super::driver::{send, send_answer};
use super::event::{PlanGoal, PlanInput};
use super::identity::identity_now;
use super::plan::{CallOf, Plan, PlanAsked, PlanId, PlanStatus};
use super::plans::{MAX_OPEN_PLANS, Plans};
use super::profile::Profile;
use super::security::living;
use super::settings::PlanSettings;
use crate::base::canonical::draw;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::{DefaultEngine, EngineIdentity, Engines, NpcEngine, Stage};
use crate::npc::{PlayerId, RequestError, check_speech, refuse};
use crate::pipeline::engine_room::identify::identify_engines;
use crate::rules::TriggerReason;
use crate::story::Rules;
use bevy::prelude::*;
use thiserror::Error;

/// Why something cannot be done with a plan. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No plan has this id, or it is too old to be kept.
    #[error("UnknownPlan: there is no plan \"{0}\"")]
    Unknown(String),
    /// The plan does not wait for an answer of a player.
    #[error("NotWaiting: the plan {0} does not wait for an answer")]
    NotWaiting(PlanId),
    /// The plan is being made or carried out.
    #[error("Running: the plan {0} is not over")]
    Running(PlanId),
    /// The plan has no intent yet: no model has understood its wish.
    #[error("NoIntent: the plan {0} has no intent")]
    NoIntent(PlanId),
    /// The character has as many plans that are not over as it may have.
    #[error("TooMany: {MAX_OPEN_PLANS} plans of \"{0}\" are not over")]
    TooMany(Id),
    /// The profile cannot become laxer while a plan is carried out.
    #[error("Busy: the profile cannot become laxer while a plan is carried out")]
    Busy,
    /// The game's ceiling forbids the profile.
    #[error("Ceiling: the profile {} is above the ceiling {}", .wanted.name(), .ceiling.name())]
    Ceiling {
        /// The profile that is wanted.
        wanted: Profile,
        /// The laxest one that the game allows.
        ceiling: Profile,
    },
    /// A profile becomes laxer only when a player approves.
    #[error("NotApproved: a person has to approve a laxer profile")]
    NotApproved,
}

/// Asks a character, by id, for a plan: `text` is what is wanted, in words. The number of the plan; `None` when the request was
/// refused, which [`RequestRefused`](crate::events::RequestRefused) reports: an unknown or deaf character, an empty or too long
/// text, or too many plans that wait.
pub fn ask_plan(world: &mut World, npc: &str, speaker: &str, text: &str) -> Option<PlanId> {
    let player = world.get_resource_or_init::<PlayerId>().0.clone();
    let checked = are_there(world)
        .and_then(|()| check_speech(world, npc, speaker, &player, text))
        .and_then(|checked| has_room(world, &checked.npc).map(|()| checked));
    match checked {
        Ok(checked) => {
            let asked = PlanAsked {
                npc: checked.npc,
                speaker: Some(checked.speaker),
                reason: checked.reason,
                text: checked.text,
            };
            Some(begin(world, asked, None, None))
        }
        Err(error) => {
            refuse(world, None, npc, error);
            None
        }
    }
}

/// Gives a character, by id, a goal of its own: what is wanted is known, and only the steps are asked for. The number of the
/// plan; `None` when there is no such character, or too many of its plans wait, which
/// [`RequestRefused`](crate::events::RequestRefused) reports. A goal that the taxonomy does not know, or that lacks something,
/// ends as a rejected plan.
pub fn ask_goal(world: &mut World, npc: &str, goal: PlanGoal) -> Option<PlanId> {
    let id = || Id::new(npc).map_err(RequestError::from);
    let found = are_there(world).and_then(|()| id()).and_then(|npc| {
        if living(world, &npc).is_none() {
            return Err(RequestError::UnknownNpc(npc.to_string()));
        }
        has_room(world, &npc).map(|()| npc)
    });
    match found {
        Ok(npc) => {
            let asked = PlanAsked {
                npc,
                speaker: None,
                reason: TriggerReason::WorldEvent,
                text: String::new(),
            };
            Some(begin(world, asked, Some(goal), None))
        }
        Err(error) => {
            refuse(world, None, npc, error);
            None
        }
    }
}

/// Whether the game has plans.
fn are_there(world: &World) -> std::result::Result<(), RequestError> {
    match world.contains_resource::<PlanSettings>() {
        true => Ok(()),
        false => Err(RequestError::LeftOut("PlansPlugin")),
    }
}

fn has_room(world: &mut World, npc: &Id) -> std::result::Result<(), RequestError> {
    let open = world
        .get_resource_or_init::<Plans>()
        .open_plans_of(npc)
        .count();
    match open < MAX_OPEN_PLANS {
        true => Ok(()),
        false => Err(RequestError::QueueFull {
            limit: MAX_OPEN_PLANS,
        }),
    }
}

fn begin(
    world: &mut World,
    asked: PlanAsked,
    goal: Option<PlanGoal>,
    again: Option<PlanId>,
) -> PlanId {
    identify_engines(world);
    let model = fit_engine(world, &asked.npc, goal.is_some());
    add(
        world,
        &PlanInput::Asked {
            asked,
            goal,
            again,
            model,
        },
    )
}

/// Adds the plan that this input asks for.
pub(crate) fn add(world: &mut World, input: &PlanInput) -> PlanId {
    let mut plans = world.get_resource_or_init::<Plans>();
    plans.asked += 1;
    let id = PlanId(plans.asked);
    if let PlanInput::Asked { asked, .. } = input {
        let seed = world.get_resource_or_init::<WorldSeed>().0;
        let correlation = draw(seed, "plan", &[&asked.npc, &id.to_string()]);
        let plan = Plan::new(id, asked.clone(), format!("{correlation:016x}"));
        world.resource_mut::<Plans>().put(plan);
        send(world, id, input);
    }
    id
}

/// Lets happen to a plan what was recorded.
pub(crate) fn repeat(world: &mut World, id: PlanId, input: &PlanInput) {
    if matches!(input, PlanInput::Asked { .. }) {
        world.get_resource_or_init::<Plans>().asked = id.0.saturating_sub(1);
        add(world, input);
        return;
    }
    let plan = world.resource::<Plans>().get(id);
    let answer = plan
        .and_then(|plan| recorded_answer(&Rules::of_game(world), world.resource(), plan, input));
    send_answer(world, id, input, answer);
}

/// The model that will be asked; `None` when none can serve both calls.
fn fit_engine(world: &World, npc: &Id, has_goal: bool) -> Option<EngineIdentity> {
    let entity = living(world, npc).map(|(entity, _)| entity);
    let default = world.get_resource::<DefaultEngine>()?;
    let engines = world.get_resource::<Engines>().cloned().unwrap_or_default();
    let own = entity.and_then(|npc| world.get::<NpcEngine>(npc));
    let stages = [Stage::PlanIntent, Stage::Plan];
    for stage in stages.into_iter().skip(usize::from(has_goal)) {
        if let Err(error) = engines.choose(own, stage, default) {
            log::warn!("\"{npc}\" cannot plan: {error}");
            return None;
        }
    }
    identity_now(world, entity)
}

fn found(world: &mut World, id: PlanId) -> std::result::Result<PlanStatus, PlanError> {
    let plans = world.get_resource_or_init::<Plans>();
    let plan = plans.get(id);
    plan.map(|plan| plan.status)
        .ok_or_else(|| PlanError::Unknown(id.to_string()))
}

/// Says yes: to what was understood, or to carrying out the plan.
///
/// # Errors
/// [`PlanError::Unknown`], [`PlanError::NotWaiting`].
pub fn approve_plan(world: &mut World, id: PlanId) -> std::result::Result<(), PlanError> {
    if !found(world, id)?.is_waiting() {
        return Err(PlanError::NotWaiting(id));
    }
    let by = world.get_resource_or_init::<PlayerId>().0.clone();
    let npc = world
        .resource::<Plans>()
        .get(id)
        .map(|plan| plan.asked.npc.clone());
    let entity = npc.and_then(|npc| Some(living(world, &npc)?.0));
    identify_engines(world);
    let model = identity_now(world, entity);
    send(world, id, &PlanInput::Granted { by, model });
    Ok(())
}

/// Says no. What the plan has done already is taken back.
///
/// # Errors
/// [`PlanError::Unknown`], [`PlanError::NotWaiting`].
pub fn deny_plan(world: &mut World, id: PlanId) -> std::result::Result<(), PlanError> {
    if !found(world, id)?.is_waiting() {
        return Err(PlanError::NotWaiting(id));
    }
    send(world, id, &PlanInput::Refused);
    Ok(())
}

/// Asks for another plan for the same words; one that waits is denied. The number of the new plan. Where no model could be
/// reached to read the words, the new plan begins with that.
///
/// # Errors
/// [`PlanError::Unknown`]; [`PlanError::Running`] for one that is being made or carried out; [`PlanError::NoIntent`] for one whose
/// words a model has read and not understood; [`PlanError::TooMany`].
pub fn regenerate_plan(world: &mut World, id: PlanId) -> std::result::Result<PlanId, PlanError> {
    let status = found(world, id)?;
    let plans = world.resource::<Plans>();
    let plan = plans
        .get(id)
        .ok_or_else(|| PlanError::Unknown(id.to_string()))?;
    if !status.is_over() && !status.is_waiting() {
        return Err(PlanError::Running(id));
    }
    let is_understood = plan.wish.is_some();
    if !is_understood && !plan.asks_for_another() {
        return Err(PlanError::NoIntent(id));
    }
    let asked = plan.asked.clone();
    if living(world, &asked.npc).is_none() {
        return Err(PlanError::Unknown(id.to_string()));
    }
    match status.is_waiting() {
        true => send(world, id, &PlanInput::Regenerated),
        false => has_room(world, &asked.npc).map_err(|_| PlanError::TooMany(asked.npc.clone()))?,
    }
    identify_engines(world);
    let model = fit_engine(world, &asked.npc, is_understood);
    let again = Some(id);
    Ok(add(
        world,
        &PlanInput::Asked {
            asked,
            goal: None,
            again,
            model,
        },
    ))
}

/// Holds a plan before its next step, such as until an animation is done, or lets it go on.
///
/// # Errors
/// [`PlanError::Unknown`] also for a plan that is over.
pub fn hold_plan(world: &mut World, id: PlanId, hold: bool) -> std::result::Result<(), PlanError> {
    let mut plans = world.get_resource_or_init::<Plans>();
    let plan = plans.get_mut(id).filter(|plan| !plan.status.is_over());
    let plan = plan.ok_or_else(|| PlanError::Unknown(id.to_string()))?;
    plan.progress.held = hold;
    Ok(())
}

/// Sets the profile. A stricter one counts at once, also for plans that wait to begin. A laxer one is possible only while no
/// plan is carried out, and when a player has approved it.
///
/// # Errors
/// [`PlanError::Ceiling`], [`PlanError::Busy`], [`PlanError::NotApproved`].
pub fn set_profile(
    world: &mut World,
    wanted: Profile,
    approved: bool,
) -> std::result::Result<(), PlanError> {
    let is_running = world.get_resource_or_init::<Plans>().is_running_now();
    let mut settings = world.get_resource_or_init::<PlanSettings>();
    if wanted > settings.profile_in_force() {
        let ceiling = settings.ceiling;
        if wanted > ceiling {
            return Err(PlanError::Ceiling { wanted, ceiling });
        }
        if is_running {
            return Err(PlanError::Busy);
        }
        if !approved {
            return Err(PlanError::NotApproved);
        }
    }
    settings.profile = wanted;
    Ok(())
}

impl CallOf {
    /// The stage of the call.
    pub(super) fn stage(self) -> Stage {
        match self {
            Self::Wish => Stage::PlanIntent,
            Self::Steps => Stage::Plan,
        }
    }
}
