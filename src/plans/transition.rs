//! What becomes of a plan when something happens to it. It reads the world, the settings and the clock, and asks no model: the
//! same input on the same world makes the same plan.

use super::answer::PlanAnswer;
use super::decision::Approval;
use super::event::PlanInput;
use super::execute::{carry_out, take_back};
use super::identity::ModelDrift;
use super::judge::{PlanJudge, ask, end};
use super::plan::{Awaited, CallOf, Plan, PlanStatus};
use super::plans::Plans;
use super::profile::Answer;
use super::settings::PlanSettings;
use super::targets::TargetState;
use super::words::shown_wish;
use crate::base::ids::Id;
use crate::engine::EngineIdentity;
use crate::proposal::WishReply;
use crate::world::WorldView;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// From this confidence on the player is not asked whether this was meant, in thousandths.
pub const SURE: u32 = 850;
/// Below this confidence a wish is rejected, in thousandths.
pub const UNSURE: u32 = 600;

/// Lets something happen to a plan. `answer`: what a model has answered, where that is what happens.
pub(super) fn happen(
    world: &mut World,
    plan: &mut Plan,
    input: &PlanInput,
    answer: Option<PlanAnswer>,
) {
    match input {
        PlanInput::Asked {
            goal, again, model, ..
        } => {
            plan.model.clone_from(model);
            plan.profile = world.resource::<PlanSettings>().profile_in_force();
            if model.is_none() {
                end(plan, PlanStatus::Rejected, "EngineUnfit");
            } else if let Some(goal) = goal {
                plan.progress.is_goal = true;
                plan.wish = Some(WishReply {
                    intent: goal.intent.clone(),
                    confidence: 1_000,
                    context: goal.context.clone(),
                    constraints: goal.constraints.clone(),
                });
                after_wish(world, plan);
            } else if let Some(before) = again.and_then(|id| world.resource::<Plans>().get(id)) {
                plan.wish.clone_from(&before.wish);
                plan.correlation.clone_from(&before.correlation);
                plan.progress.is_goal = before.progress.is_goal;
                plan.progress.confirmed = before.progress.confirmed;
                match plan.wish {
                    Some(_) => after_wish(world, plan),
                    // No model has read the words yet.
                    None => plan.progress.awaited = Awaited::Call(CallOf::Wish),
                }
            } else {
                plan.progress.awaited = Awaited::Call(CallOf::Wish);
            }
        }
        PlanInput::Answered {
            of,
            run,
            model,
            regenerations,
            failures,
            ..
        } => {
            plan.runs.push(*run);
            plan.model = Some(model.clone());
            plan.progress.awaited = Awaited::Nothing;
            if *of == CallOf::Steps {
                plan.regenerations = *regenerations;
                plan.failures.clone_from(failures);
            }
            match (of, answer) {
                (CallOf::Wish, Some(PlanAnswer::Wish(wish))) => {
                    let lexicon = PlanJudge::of_game(world).lexicon(&plan.asked.npc);
                    plan.wish = Some(shown_wish(world, wish, &lexicon));
                    after_wish(world, plan);
                }
                (CallOf::Steps, Some(PlanAnswer::Steps(steps))) => {
                    if PlanJudge::of_game(world).take_steps(plan, &steps) == Answer::Allow {
                        approve(world, plan);
                    }
                }
                (CallOf::Wish, _) => end(plan, PlanStatus::Rejected, "InvalidIntent"),
                (CallOf::Steps, _) => end(plan, PlanStatus::Rejected, "InvalidPlan"),
            }
        }
        PlanInput::CallFailed {
            of,
            run,
            reason,
            regenerations,
            failures,
        } => {
            plan.runs.extend(run);
            plan.progress.awaited = Awaited::Nothing;
            if *of == CallOf::Steps {
                plan.regenerations = *regenerations;
                plan.failures.clone_from(failures);
            }
            end(plan, PlanStatus::Rejected, reason);
        }
        PlanInput::OtherModel { run, now } => {
            plan.runs.extend(run);
            plan.model_now.clone_from(now);
            end(plan, PlanStatus::Blocked, "model_changed");
        }
        PlanInput::Granted { by, .. } => match plan.status {
            PlanStatus::Asking => {
                plan.progress.confirmed = true;
                plan.status = PlanStatus::Planning;
                plan.reason = None;
                plan.progress.awaited = Awaited::Call(CallOf::Steps);
            }
            _ => grant(world, plan, by),
        },
        PlanInput::Refused => refuse(world, plan, Approval::Refused, "player"),
        PlanInput::Silence => refuse(world, plan, Approval::Silence, "silence"),
        PlanInput::Regenerated => {
            if plan.status.is_waiting() {
                undo_and_end(world, plan, PlanStatus::Denied, "regenerated");
            }
        }
        PlanInput::Age => undo_and_end(world, plan, PlanStatus::Expired, "age"),
        PlanInput::Dropped => undo_and_end(world, plan, PlanStatus::Expired, "session"),
        PlanInput::Despawned { run } => {
            plan.runs.extend(run);
            let status = match plan.has_begun() {
                true => PlanStatus::RolledBack,
                false => PlanStatus::Expired,
            };
            undo_and_end(world, plan, status, "despawned");
        }
        PlanInput::Step { model } => step(world, plan, model.as_ref()),
    }
    count_failure(world, plan);
}

fn undo_and_end(world: &mut World, plan: &mut Plan, status: PlanStatus, reason: &str) {
    if plan.has_begun() {
        let gone = (reason == "despawned").then_some(&plan.asked.npc);
        plan.kept = take_back(world, &plan.progress.changed, gone);
    }
    end(plan, status, reason);
}

/// Three failed executions lower the profile by one.
fn count_failure(world: &mut World, plan: &Plan) {
    let went = plan.reason.as_deref() == Some("despawned");
    if plan.status != PlanStatus::RolledBack || went {
        return;
    }
    let mut plans = world.resource_mut::<Plans>();
    plans.failed += 1;
    if plans.failed < 3 {
        return;
    }
    plans.failed = 0;
    let mut settings = world.resource_mut::<PlanSettings>();
    let lower = settings.profile_in_force().lower();
    if lower < settings.profile {
        settings.profile = lower;
        log::warn!(
            "three plans have failed: the profile is {} now",
            lower.name()
        );
    }
}

/// The wish is understood, or was given: is it something that can be planned, and was it meant?
fn after_wish(world: &World, plan: &mut Plan) {
    let judge = PlanJudge::of_game(world);
    let settings = judge.settings;
    let Some(wish) = plan.wish.clone() else {
        return end(plan, PlanStatus::Rejected, "InvalidIntent");
    };
    plan.constraints = judge.constraints(plan);
    let Some(intent) = settings.taxonomy.intents.get(&wish.intent) else {
        return end(plan, PlanStatus::Rejected, "UnknownIntent");
    };
    let given = |key: &String| {
        let value = wish.context.get(key);
        value.is_some_and(|value| !value.trim().is_empty())
    };
    if !intent.context.iter().all(given) {
        return end(plan, PlanStatus::Rejected, "MissingContext");
    }
    let chosen = wish.context.iter().map(|(key, words)| {
        let value = intent.value(key, words)?;
        Some((key.clone(), value.to_owned()))
    });
    let Some(context) = chosen.collect::<Option<BTreeMap<_, _>>>() else {
        return end(plan, PlanStatus::Rejected, "InvalidContext");
    };
    if let Some(wish) = &mut plan.wish {
        wish.context = context;
    }
    match wish.confidence {
        ..UNSURE => end(plan, PlanStatus::Rejected, "LowConfidence"),
        UNSURE..SURE if !plan.progress.confirmed => match settings.has_approver {
            true => match judge.forbidden_in_wish(plan) {
                None => ask(world, plan, PlanStatus::Asking, None),
                Some(rule) => end(plan, PlanStatus::Denied, &rule),
            },
            false => end(plan, PlanStatus::Denied, "no_approver"),
        },
        _ => plan.progress.awaited = Awaited::Call(CallOf::Steps),
    }
}

/// Decides on a plan about which no player was asked.
fn settle(world: &mut World, plan: &mut Plan) {
    if PlanJudge::of_game(world).settle(plan) == Answer::Allow {
        approve(world, plan);
    }
}

/// It may be carried out, after all that were approved before.
fn approve(world: &mut World, plan: &mut Plan) {
    let mut plans = world.resource_mut::<Plans>();
    plans.approvals += 1;
    plan.progress.turn = plans.approvals;
    plan.reason = None;
    plan.status = match plan.has_begun() {
        true => PlanStatus::Running,
        false => PlanStatus::Ready,
    };
}

/// The player says yes to what the question said: where the version of the model had changed, to the one that it named, whichever
/// serves by now.
fn grant(world: &mut World, plan: &mut Plan, by: &Id) {
    if plan.progress.asked_again {
        plan.progress.bound_to.clone_from(&plan.model_now);
    }
    PlanJudge::of_game(world).decide(plan, Approval::Granted);
    plan.progress.asked_again = false;
    plan.approved_by = Some(by.clone());
    approve(world, plan);
}

fn refuse(world: &mut World, plan: &mut Plan, approval: Approval, reason: &str) {
    if plan.status == PlanStatus::Pending {
        PlanJudge::of_game(world).decide(plan, approval);
    }
    undo_and_end(world, plan, PlanStatus::Denied, reason);
}

/// The next step is due: is the model the same, is the world as it was, and may it be done now?
fn step(world: &mut World, plan: &mut Plan, model: Option<&EngineIdentity>) {
    let bound = plan.progress.bound_to.as_ref().or(plan.model.as_ref());
    let drift = match (bound, model) {
        (Some(made), Some(now)) => ModelDrift::between(made, now),
        _ => ModelDrift::Model,
    };
    match drift {
        ModelDrift::Model => {
            plan.model_now = model.cloned();
            return undo_and_end(world, plan, PlanStatus::Blocked, "model_changed");
        }
        ModelDrift::Version => return ask_again(world, plan, model),
        ModelDrift::None => {}
    }
    if !plan.has_begun() {
        let volatile = &world.resource::<PlanSettings>().taxonomy.volatile;
        let view = WorldView::new(world);
        let mut targets = plan.progress.targets.iter();
        if targets.any(|(id, was)| TargetState::of(&view, id, volatile) != *was) {
            return end(plan, PlanStatus::Expired, "target_changed");
        }
        let profile = world.resource::<PlanSettings>().profile_in_force();
        if profile < plan.profile {
            // What was stricter meanwhile counts at once; who has approved has approved.
            plan.profile = profile;
            let granted = plan.approved_by.is_some();
            let answer = match granted {
                true => PlanJudge::of_game(world).decide(plan, Approval::Granted),
                false => PlanJudge::of_game(world).decide(plan, Approval::Waiting),
            };
            if answer != Answer::Allow {
                return settle(world, plan);
            }
        }
    }
    if let Err(reason) = carry_out(world, plan) {
        return undo_and_end(world, plan, PlanStatus::RolledBack, &reason);
    }
    plan.status = match plan.next_step() {
        Some(_) => PlanStatus::Running,
        None => PlanStatus::Done,
    };
}

/// The version of the model has changed: the player is asked once more, and told which one serves now.
fn ask_again(world: &mut World, plan: &mut Plan, model: Option<&EngineIdentity>) {
    plan.progress.asked_again = true;
    plan.model_now = model.cloned();
    plan.approved_by = None;
    if world.resource::<PlanSettings>().has_approver {
        PlanJudge::of_game(world).decide(plan, Approval::Waiting);
        return ask(world, plan, PlanStatus::Pending, Some("model_version"));
    }
    PlanJudge::of_game(world).decide(plan, Approval::NoApprover);
    undo_and_end(world, plan, PlanStatus::Denied, "no_approver");
}
