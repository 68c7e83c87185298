//! What becomes of a plan when something happens to it. It reads the world, the settings and the clock, and asks no model: the
//! same input on the same world makes the same plan.

use super::answer::PlanAnswer;
use super::check::{CheckedPlan, PlanRules, check};
use super::constraint::PlanConstraint;
use super::custom::PlanChecks;
use super::decision::{Approval, DecisionInput, decide};
use super::event::PlanInput;
use super::execute::{carry_out, take_back};
use super::identity::ModelDrift;
use super::order::PlanProblem;
use super::plan::{Awaited, CallOf, Judged, Plan, PlanStatus, PlanStep};
use super::plans::Plans;
use super::profile::Answer;
use super::quality::{Measures, quality};
use super::risk::{MAX_RISK, risk};
use super::security::{character_of, forbidden_in, forbidden_in_wish, security, turn_key};
use super::settings::PlanSettings;
use super::step_facts::StepFacts;
use super::targets::{TargetState, target_facts};
use super::words::{shown_wish, spoken};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::engine::EngineIdentity;
use crate::npc::PlayerId;
use crate::proposal::{PlanConstraintKind, StepReply, WishReply};
use crate::story::{ActiveStory, action_rules};
use crate::text::Lexicon;
use crate::world::WorldView;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// From this confidence on nobody is asked whether this was meant, in thousandths.
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
                    let lexicon = lexicon_of(world, &plan.asked.npc);
                    plan.wish = Some(shown_wish(world, wish, &lexicon));
                    after_wish(world, plan);
                }
                (CallOf::Steps, Some(PlanAnswer::Steps(steps))) => take_steps(world, plan, &steps),
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

fn end(plan: &mut Plan, status: PlanStatus, reason: &str) {
    plan.status = status;
    plan.reason = Some(reason.to_owned());
    plan.progress.awaited = Awaited::Nothing;
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

fn lexicon_of(world: &World, npc: &Id) -> Arc<Lexicon> {
    let story = world.resource::<ActiveStory>().0.clone();
    match character_of(world, npc).and_then(|(_, character)| character.lexicon.clone()) {
        Some(own) => own,
        None => story.lexicon.clone(),
    }
}

/// The constraints of a plan: the game's, then those of the wish.
pub(super) fn constraints_of(world: &World, plan: &Plan) -> Vec<PlanConstraint> {
    let view = WorldView::new(world);
    let npc = &plan.asked.npc;
    let lexicon = lexicon_of(world, npc);
    let settings = world.resource::<PlanSettings>();
    let of_wish = plan.wish.iter().flat_map(|wish| &wish.constraints);
    let specs = settings.constraints.iter().chain(of_wish);
    specs
        .enumerate()
        .map(|(index, spec)| PlanConstraint::new(index, spec, &view, npc, &lexicon))
        .collect()
}

/// The wish is understood, or was given: is it something that can be planned, and was it meant?
fn after_wish(world: &mut World, plan: &mut Plan) {
    let settings = world.resource::<PlanSettings>().clone();
    let Some(wish) = plan.wish.clone() else {
        return end(plan, PlanStatus::Rejected, "InvalidIntent");
    };
    plan.constraints = constraints_of(world, plan);
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
            true => match forbidden_in_wish(world, plan) {
                None => ask(world, plan, PlanStatus::Asking, None),
                Some(rule) => end(plan, PlanStatus::Denied, &rule),
            },
            false => end(plan, PlanStatus::Denied, "no_approver"),
        },
        _ => plan.progress.awaited = Awaited::Call(CallOf::Steps),
    }
}

/// The player is asked.
fn ask(world: &World, plan: &mut Plan, status: PlanStatus, reason: Option<&str>) {
    plan.status = status;
    plan.reason = reason.map(str::to_owned);
    plan.progress.asked_at = world.resource::<Plans>().patience;
    if status == PlanStatus::Asking {
        plan.progress.waits_since = world.resource::<DramatisClock>().game;
    }
}

/// What is wrong with steps for this plan, in the world as it is.
pub(super) fn problems_of(
    world: &World,
    plan: &Plan,
    steps: &[StepReply],
) -> std::result::Result<CheckedPlan, Vec<PlanProblem>> {
    let settings = world.resource::<PlanSettings>();
    let unknown = || {
        vec![PlanProblem::new(
            "UnknownIntent",
            "nobody knows this intent",
        )]
    };
    let wish = plan.wish.as_ref().ok_or_else(unknown)?;
    let intent = settings
        .taxonomy
        .intents
        .get(&wish.intent)
        .ok_or_else(unknown)?;
    let player = world.resource::<PlayerId>().0.clone();
    let people: Vec<&Id> = [&player].into_iter().chain(&plan.asked.speaker).collect();
    check(
        &PlanRules {
            intent,
            context: &wish.context,
            constraints: &plan.constraints,
            reach: &settings.reach(),
            npc: &plan.asked.npc,
            people: &people,
            actions: action_rules(world),
            key: turn_key(world, plan.id),
            world: &WorldView::new(world),
            checks: world.resource::<PlanChecks>(),
        },
        steps,
    )
}

/// Takes the steps that a model has written, if they pass the checks in the world as it is now.
fn take_steps(world: &mut World, plan: &mut Plan, steps: &[StepReply]) {
    match problems_of(world, plan, steps) {
        Ok(checked) => propose(world, plan, checked),
        // The world has changed since its judge looked at it.
        Err(problems) => {
            plan.failures = problems;
            end(plan, PlanStatus::Rejected, "InvalidPlan");
        }
    }
}

/// Weighs a plan that was checked, and decides on it.
fn propose(world: &mut World, plan: &mut Plan, checked: CheckedPlan) {
    let settings = world.resource::<PlanSettings>().clone();
    let taxonomy = &settings.taxonomy;
    let lexicon = lexicon_of(world, &plan.asked.npc);
    let view = WorldView::new(world);
    let npc = plan.asked.npc.clone();
    let facts = checked.steps.iter().map(|step| {
        let target = step.intent.target();
        StepFacts {
            operation: taxonomy.operation(step.intent.kind()),
            target: target.map(|id| target_facts(&view, &npc, &lexicon, id)),
            others: step
                .intent
                .references()
                .filter(|id| Some(*id) != target)
                .map(|id| target_facts(&view, &npc, &lexicon, id))
                .collect(),
            is_specific: step.is_specific,
            is_feasible: step.dry == crate::world::ReasonCode::Ok,
            why_chars: step.written.why.chars().count(),
        }
    });
    let facts: Vec<StepFacts> = facts.collect();
    let mut targets: BTreeMap<String, TargetState> = BTreeMap::new();
    for target in checked.steps.iter().filter_map(|step| step.intent.target()) {
        let state = TargetState::of(&view, target, &taxonomy.volatile);
        targets.insert(target.to_owned(), state);
    }
    plan.progress.targets = targets.into_iter().collect();
    // What is cut off a reason is not shown, and judged all the same.
    let reasons = checked.steps.iter().map(|step| step.written.why.clone());
    let reasons: Vec<String> = reasons.collect();
    plan.steps = checked
        .steps
        .into_iter()
        .map(|step| PlanStep {
            id: step.written.id,
            needs: step.written.needs,
            intent: step.intent,
            why: spoken(world, &step.written.why, &lexicon),
            covers: step
                .written
                .covers
                .into_iter()
                .filter(|id| plan.constraints.iter().any(|known| known.id == *id))
                .collect(),
            dry: step.dry,
            result: None,
            message: None,
        })
        .collect();
    let checks = world.resource::<PlanChecks>();
    let mut found = risk(taxonomy, &facts);
    for (name, points) in checks.points(&npc, &plan.steps, &view) {
        found.points = found.points.saturating_add(points).min(MAX_RISK);
        found.factors.push((name, points));
    }
    let custom = checks.answers(&npc, &plan.steps, &view);
    plan.quality = Some(quality(
        &facts,
        Measures {
            met: checked.met,
            wanted: checked.wanted,
            unmatched_preferences: checked.unmatched_preferences,
        },
    ));
    plan.risk = Some(found);
    let now = world.resource::<DramatisClock>().game;
    plan.proposed_at = Some(now);
    plan.progress.waits_since = now;
    plan.profile = settings.profile_in_force();
    let unchecked = plan
        .constraints
        .iter()
        .any(|one| one.kind() == PlanConstraintKind::MustNot && !one.can_be_checked());
    let reach = settings.reach();
    plan.progress.judged = Some(Judged {
        forbidden_by: security(world, plan, &plan.steps)
            .or_else(|| forbidden_in(world, plan, &reasons))
            .or_else(|| forbidden_in_wish(world, plan)),
        steps: facts,
        has_unchecked_constraint: unchecked,
        custom,
        acts_inside: reach.holds(&WorldView::new(world), &plan.asked.npc),
        reach,
    });
    settle(world, plan);
}

/// What the gates say, with this answer of the player.
fn redecide(world: &World, plan: &mut Plan, approval: Approval) -> Answer {
    let settings = world.resource::<PlanSettings>();
    let (Some(judged), Some(risk), Some(quality)) =
        (&plan.progress.judged, &plan.risk, &plan.quality)
    else {
        return Answer::Deny;
    };
    let decision = decide(&DecisionInput {
        taxonomy: &settings.taxonomy,
        profile: plan.profile,
        steps: &judged.steps,
        risk,
        quality: quality.sum,
        forbidden_by: judged.forbidden_by.as_deref(),
        has_unchecked_constraint: judged.has_unchecked_constraint,
        custom: &judged.custom,
        asked_again: plan.progress.asked_again,
        approval,
    });
    let answer = decision.decision;
    plan.decision = Some(decision);
    answer
}

/// Decides on a plan that nobody was asked about.
fn settle(world: &mut World, plan: &mut Plan) {
    match redecide(world, plan, Approval::Waiting) {
        Answer::Allow => approve(world, plan),
        Answer::Deny => deny(plan),
        Answer::Confirm | Answer::Pass => {
            if world.resource::<PlanSettings>().has_approver {
                ask(world, plan, PlanStatus::Pending, None);
            } else {
                redecide(world, plan, Approval::NoApprover);
                deny(plan);
            }
        }
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

fn deny(plan: &mut Plan) {
    let reason = plan.decision.as_ref().and_then(|decision| {
        let deciding = decision.deciding_gate.as_ref()?;
        let gate = decision.gates.iter().find(|gate| gate.gate == *deciding)?;
        gate.reason.clone()
    });
    plan.status = PlanStatus::Denied;
    plan.reason = reason;
}

/// The player says yes to what the question said: where the version of the model had changed, to the one that it named, whichever
/// serves by now.
fn grant(world: &mut World, plan: &mut Plan, by: &Id) {
    if plan.progress.asked_again {
        plan.progress.bound_to.clone_from(&plan.model_now);
    }
    redecide(world, plan, Approval::Granted);
    plan.progress.asked_again = false;
    plan.approved_by = Some(by.clone());
    approve(world, plan);
}

fn refuse(world: &mut World, plan: &mut Plan, approval: Approval, reason: &str) {
    if plan.status == PlanStatus::Pending {
        redecide(world, plan, approval);
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
                true => redecide(world, plan, Approval::Granted),
                false => redecide(world, plan, Approval::Waiting),
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
        redecide(world, plan, Approval::Waiting);
        return ask(world, plan, PlanStatus::Pending, Some("model_version"));
    }
    redecide(world, plan, Approval::NoApprover);
    undo_and_end(world, plan, PlanStatus::Denied, "no_approver");
}
