//! Takes every plan as far as it comes: calls, answers, limits of time, and steps, at most one of a character in a frame.

use super::answer::{PlanAnswer, spend_answer};
use super::event::PlanInput;
use super::hook::call_hook;
use super::identity::{ModelDrift, engine_now, identity_now};
use super::order::PlanProblem;
use super::plan::{Awaited, CallOf, Plan, PlanId, PlanStatus};
use super::plans::Plans;
use super::prompt::start_call;
use super::security::living;
use super::transition::happen;
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::engine::{IdentityProbe, RunEngine};
use crate::events::{PlanDecided, PlanEnded, PlanProposed, PlanQuestion, StepDone};
use crate::gate::FailureReason;
use crate::outbox::Outbox;
use crate::pipeline::engine_room::identify::identify_engines;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::{
    AttemptError, AttemptLog, AttemptRecord, Outcome, Run, RunPolicy, StageHost,
};
use crate::proposal::Finish;
use crate::world::WorldIndex;
use crate::world::refresh::refresh;
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How long a player may take to answer, in call time.
pub const SILENCE: Millis = Millis(300_000);
/// How old a plan that waits may become, in game time.
pub const MAX_AGE: Millis = Millis(1_800_000);

/// Applies an input to a plan, keeps the result, and reports it.
pub(super) fn send(world: &mut World, id: PlanId, input: &PlanInput) {
    send_answer(world, id, input, None);
}

/// The same where a model has answered, with what it answered.
pub(super) fn send_answer(
    world: &mut World,
    id: PlanId,
    input: &PlanInput,
    answer: Option<PlanAnswer>,
) {
    let Some(mut plan) = world.resource::<Plans>().get(id).cloned() else {
        return;
    };
    call_hook(world, |hook, world| hook.before_plan(world));
    count_patience(world);
    refresh(world);
    let before = (
        plan.status,
        plan.progress.changed.len(),
        plan.decision.clone(),
    );
    happen(world, &mut plan, input, answer);
    tell(world, &plan, before.0, before.1, before.2.is_some());
    if plan.status.is_over() {
        if let Some(host) = plan.progress.host.take()
            && let Ok(host) = world.get_entity_mut(host)
        {
            host.despawn();
        }
        if let Some(mut probes) = world.get_resource_mut::<PlanProbes>() {
            probes.0.remove(&id);
        }
    }
    world.resource_mut::<Plans>().put(plan.clone());
    call_hook(world, |hook, world| {
        hook.plan_changed(world, &plan, input);
    });
}

/// Tells the game what has become of a plan.
fn tell(world: &mut World, plan: &Plan, was: PlanStatus, steps_done: usize, was_decided: bool) {
    let entity = WorldIndex::find(world, &plan.asked.npc);
    let npc = || plan.asked.npc.clone();
    let mut outbox = world.get_resource_or_init::<Outbox>();
    if plan.decision.is_some() && !was_decided {
        outbox.tell_about(PlanProposed {
            entity,
            npc: npc(),
            plan: plan.id,
        });
    }
    if plan.status.is_waiting() && plan.status != was {
        outbox.tell_about(PlanQuestion {
            entity,
            npc: npc(),
            plan: plan.id,
            status: plan.status,
        });
    }
    let is_settled = |status: PlanStatus| {
        !matches!(
            status,
            PlanStatus::Planning | PlanStatus::Asking | PlanStatus::Pending
        )
    };
    if let Some(decision) = plan
        .decision
        .as_ref()
        .filter(|_| !is_settled(was) && is_settled(plan.status))
    {
        outbox.tell_about(PlanDecided {
            entity,
            npc: npc(),
            plan: plan.id,
            decision: decision.decision,
            gate: decision.deciding_gate.clone(),
            reason: plan.reason.clone(),
        });
    }
    for step in plan
        .steps
        .iter()
        .take(plan.progress.changed.len())
        .skip(steps_done)
    {
        outbox.tell_about(StepDone {
            entity,
            npc: npc(),
            plan: plan.id,
            step: step.id.clone(),
        });
    }
    if plan.status.is_over() && !was.is_over() {
        if plan.asks_for_another() {
            outbox.tell_about(PlanQuestion {
                entity,
                npc: npc(),
                plan: plan.id,
                status: plan.status,
            });
        }
        outbox.tell_about(PlanEnded {
            entity,
            npc: npc(),
            plan: plan.id,
            status: plan.status,
            reason: plan.reason.clone(),
        });
    }
}

/// The questions on their way which model answers, of plans that wait for that.
#[derive(Resource, Default)]
pub(super) struct PlanProbes(BTreeMap<PlanId, IdentityProbe>);

/// Whether it is known which model answers now. An engine that has to find out is asked, and the plan waits.
fn knows_model(world: &mut World, id: PlanId, npc: Option<Entity>) -> bool {
    let mut probes = world.get_resource_or_init::<PlanProbes>();
    if let Some(probe) = probes.0.get(&id) {
        if !probe.is_over() {
            return false;
        }
        probes.0.remove(&id);
        identify_engines(world);
        return true;
    }
    let probe = engine_now(world, npc).and_then(|engine| engine.probe());
    match probe {
        Some(probe) => {
            world.resource_mut::<PlanProbes>().0.insert(id, probe);
            false
        }
        None => {
            identify_engines(world);
            true
        }
    }
}

/// The system that takes every plan as far as it comes.
pub(super) fn advance_plans(world: &mut World) {
    count_patience(world);
    // What is decided in this frame begins in a later one: the game may hold it until then.
    let due = due_steps(world.resource::<Plans>());
    let open: Vec<PlanId> = world
        .resource::<Plans>()
        .open()
        .map(|plan| plan.id)
        .collect();
    for id in open {
        advance(world, id);
    }
    for id in due {
        let plan = world.resource::<Plans>().get(id);
        let is_due = |plan: &&Plan| matches!(plan.status, PlanStatus::Ready | PlanStatus::Running);
        let plan = plan.filter(is_due);
        let Some(npc) = plan.map(|plan| plan.asked.npc.clone()) else {
            continue;
        };
        let entity = living(world, &npc).map(|(entity, _)| entity);
        if knows_model(world, id, entity) {
            let model = identity_now(world, entity);
            send(world, id, &PlanInput::Step { model });
        }
    }
}

/// Counts how long players could have answered. While the game is paused, no player has to answer.
fn count_patience(world: &mut World) {
    let now = world.resource::<DramatisClock>().call;
    let paused = world
        .get_resource::<Time<Virtual>>()
        .is_some_and(Time::<Virtual>::is_paused);
    let mut plans = world.resource_mut::<Plans>();
    let passed = now.since(plans.counted_at);
    plans.counted_at = now;
    if !paused && passed.0 > 0 {
        plans.patience = Millis(plans.patience.0.saturating_add(passed.0));
    }
}

/// The plans whose next step is due: of each character the one that was approved first.
fn due_steps(plans: &Plans) -> Vec<PlanId> {
    let ready = plans
        .open()
        .filter(|plan| matches!(plan.status, PlanStatus::Ready | PlanStatus::Running));
    let mut ready: Vec<&Plan> = ready.collect();
    ready.sort_by_key(|plan| plan.progress.turn);
    let mut busy: BTreeSet<&Id> = BTreeSet::new();
    let first = ready
        .into_iter()
        .filter(|plan| busy.insert(&plan.asked.npc));
    first
        .filter(|plan| !plan.progress.held)
        .map(|plan| plan.id)
        .collect()
}

/// Whether a plan can go on without waiting for a reply, an answer or the game.
pub(crate) fn is_moving(world: &World) -> bool {
    let Some(plans) = world.get_resource::<Plans>() else {
        return false;
    };
    let waits = |plan: &Plan| match plan.progress.awaited {
        Awaited::Nothing => true,
        Awaited::Call(_) => false,
        Awaited::Answer(_, call) => !call.is_over(world),
    };
    !due_steps(plans).is_empty() || !plans.open().all(waits)
}

fn advance(world: &mut World, id: PlanId) {
    let Some(plan) = world.resource::<Plans>().get(id) else {
        return;
    };
    let (npc, awaited) = (plan.asked.npc.clone(), plan.progress.awaited);
    let Some((entity, _)) = living(world, &npc) else {
        let run = match awaited {
            Awaited::Answer(_, call) => world.get::<Run>(call.run()).map(Run::number),
            _ => None,
        };
        return send(world, id, &PlanInput::Despawned { run });
    };
    match awaited {
        Awaited::Nothing => check_limits(world, id),
        Awaited::Call(of) => call(world, id, of, entity),
        Awaited::Answer(of, call) => {
            if call.is_over(world) {
                let (input, answer) = read_answer(world, of, call, entity);
                send_answer(world, id, &input, answer);
                // What follows from it need not wait for the next frame.
                if let Some(Awaited::Call(of)) = world
                    .resource::<Plans>()
                    .get(id)
                    .map(|plan| plan.progress.awaited)
                {
                    self::call(world, id, of, entity);
                }
            }
        }
    }
}

/// What has waited for too long ends. A limit counts as passed when it is reached.
fn check_limits(world: &mut World, id: PlanId) {
    let plans = world.resource::<Plans>();
    let Some(plan) = plans.get(id) else {
        return;
    };
    let silent = plans.patience.0.saturating_sub(plan.progress.asked_at.0) >= SILENCE.0;
    let now = world.resource::<DramatisClock>().game;
    let old = now.since(plan.progress.waits_since).0 >= MAX_AGE.0;
    let input = match plan.status {
        status if status.is_waiting() && silent => PlanInput::Silence,
        status if (status.is_waiting() || status == PlanStatus::Ready) && old => PlanInput::Age,
        _ => return,
    };
    send(world, id, &input);
}

/// Starts a call. Once a plan is being made, only the model that began it serves it.
fn call(world: &mut World, id: PlanId, of: CallOf, npc: Entity) {
    if !knows_model(world, id, Some(npc)) {
        return;
    }
    // The first call decides which model it is.
    let plan = world.resource::<Plans>().get(id);
    let model = plan
        .filter(|plan| !plan.runs.is_empty())
        .and_then(|plan| plan.model.clone());
    let now = identity_now(world, Some(npc));
    let drift = match (&model, &now) {
        (Some(made), Some(now)) => ModelDrift::between(made, now),
        (None, Some(_)) => ModelDrift::None,
        (_, None) => ModelDrift::Model,
    };
    if drift == ModelDrift::Model {
        return send(world, id, &PlanInput::OtherModel { run: None, now });
    }
    let host = world
        .resource::<Plans>()
        .get(id)
        .and_then(|plan| plan.progress.host);
    let host = host.unwrap_or_else(|| world.spawn(StageHost).id());
    match start_call(world, id, of, npc, host) {
        Ok(call) => {
            let mut plans = world.resource_mut::<Plans>();
            if let Some(plan) = plans.get_mut(id) {
                plan.progress.host = Some(host);
                plan.progress.awaited = Awaited::Answer(of, call);
            }
        }
        Err(error) => {
            log::warn!("plan {id} cannot be made: {error}");
            world.despawn(host);
            let failed = PlanInput::CallFailed {
                of,
                run: None,
                reason: error.reason().to_owned(),
                regenerations: 0,
                failures: Vec::new(),
            };
            send(world, id, &failed);
        }
    }
}

/// The result of a call that is over.
fn read_answer(
    world: &mut World,
    of: CallOf,
    call: StageCall,
    npc: Entity,
) -> (PlanInput, Option<PlanAnswer>) {
    let run = call.run();
    let number = world.get::<Run>(run).map(Run::number);
    let asked = world
        .get::<RunEngine>(run)
        .map(|engine| engine.identity().clone());
    // A reply may have told the version of the model that gave it.
    let model = identity_now(world, Some(npc));
    if let (Some(asked), Some(now)) = (&asked, &model)
        && ModelDrift::between(asked, now) == ModelDrift::Model
    {
        let other = PlanInput::OtherModel {
            run: number,
            now: model,
        };
        return (other, None);
    }
    let attempts = world
        .get::<AttemptLog>(run)
        .map(|log| log.0.clone())
        .unwrap_or_default();
    let outcome = world.get::<Outcome>(run).cloned();
    let answer = call.take(world).ok();
    let answer = answer.and_then(|(run, approved)| spend_answer(approved, &run));
    let refused = attempts
        .iter()
        .filter(|attempt| !attempt.passed && was_refused(attempt))
        .count();
    let regenerations = u32::try_from(refused)
        .unwrap_or(u32::MAX)
        .min(RunPolicy::PLAN.max_attempts - 1);
    let failures = attempts
        .iter()
        .rev()
        .map(plan_failures)
        .find(|found| !found.is_empty());
    let failures = failures.unwrap_or_default();
    let last = attempts.last();
    let reply = last.and_then(|last| last.reply.clone());
    match (outcome, number, model, reply, answer) {
        (Some(Outcome::Accepted { .. }), Some(run), Some(model), Some(reply), answer @ Some(_)) => {
            let answered = PlanInput::Answered {
                of,
                run,
                reply,
                finish: last.map_or(Finish::Stop, |last| last.finish),
                model,
                regenerations,
                failures,
            };
            (answered, answer)
        }
        (outcome, run, ..) => {
            let failed = PlanInput::CallFailed {
                of,
                run,
                reason: why_failed(of, outcome.as_ref(), last).to_owned(),
                regenerations,
                failures,
            };
            (failed, None)
        }
    }
}

/// Whether a call brought an answer, usable or not.
fn is_answer(attempt: &AttemptRecord) -> bool {
    !matches!(
        attempt.error,
        Some(AttemptError::Timeout | AttemptError::Transport | AttemptError::Deadline)
    )
}

/// Whether an answer could not be used.
fn was_refused(attempt: &AttemptRecord) -> bool {
    match attempt.error {
        None => attempt.verdict.is_some(),
        Some(error) => matches!(error, AttemptError::Oversized | AttemptError::NotUtf8),
    }
}

fn plan_failures(attempt: &AttemptRecord) -> Vec<PlanProblem> {
    let failures = attempt.verdict.iter().flat_map(|verdict| &verdict.failures);
    let own = failures.filter(|failure| failure.reason == FailureReason::PlanRejected);
    own.map(|failure| PlanProblem::new(failure.rule.clone(), failure.message.clone()))
        .collect()
}

fn why_failed(of: CallOf, outcome: Option<&Outcome>, last: Option<&AttemptRecord>) -> &'static str {
    if !matches!(outcome, Some(Outcome::Failed)) {
        return "Cancelled";
    }
    match last {
        None => "EngineUnavailable",
        Some(last) if !is_answer(last) => "EngineUnavailable",
        Some(last) if last.error == Some(AttemptError::ContextLimit) => "ContextLimit",
        Some(_) => match of {
            CallOf::Wish => "InvalidIntent",
            CallOf::Steps => "InvalidPlan",
        },
    }
}
