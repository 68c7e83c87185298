//! Carrying out a plan step by step, and taking back what it did.

use super::plan::{Judged, Plan};
use super::reach::newcomers;
use super::security::{security, turn_key};
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::commit::applied::AppliedAction;
use crate::commit::{Committed, commit};
use crate::gate::Approved;
use crate::gate::actions::{ActionsOfTurn, approve_actions};
use crate::judged_world::change::take_back::ChangedParts;
use crate::outbox::Outbox;
use crate::proposal::PlanConstraintKind;
use crate::story::{Rules, action_rules};
use crate::world::refresh::refresh;
use crate::world::writer::write_parts;
use crate::world::{Intent, JudgedChange, Overlay, ReasonCode, WorldIndex, WorldView};
use bevy::prelude::*;
use std::collections::BTreeSet;

/// Carries out the next step of a plan: constraints, scope, security and the rulebook judge it on the world as it is now.
///
/// # Errors
/// Why it may not be done: the rule of security, of the scope or of a constraint, or the reason code of the rulebook.
pub(super) fn carry_out(world: &mut World, plan: &mut Plan) -> std::result::Result<(), String> {
    let at = plan.progress.changed.len();
    let Some(step) = plan.steps.get(at).cloned() else {
        return Ok(());
    };
    let forbidding = plan.constraints.iter().find(|constraint| {
        constraint.kind() == PlanConstraintKind::MustNot
            && constraint.matches(&step.intent, &step.why)
    });
    if let Some(constraint) = forbidding {
        return Err(format!("must_not:{}", constraint.id));
    }
    if let Some(beyond) = out_of_reach(world, plan, &step.intent) {
        return Err(beyond.to_owned());
    }
    if let Some(rule) = security(&Rules::of_game(world), plan, std::slice::from_ref(&step)) {
        return Err(rule);
    }
    let view = WorldView::new(world);
    // A plan is one turn: what it brings has the ids of the dry run, and it brings no more than a turn may.
    let turn = ActionsOfTurn {
        key: &turn_key(world, plan.id),
        spawned: plan.progress.spawned,
        intents: std::slice::from_ref(&step.intent),
    };
    let approved = approve_actions(&*plan, action_rules(world), &view, [turn]);
    let brought = approved.as_ref().ok().map(Approved::get);
    if let Some(beyond) = brought.and_then(|changes| brings_out_of_reach(&view, plan, changes)) {
        return Err(beyond.to_owned());
    }
    if let Some(step) = plan.steps.get_mut(at) {
        let denial = approved.as_ref().err().map(|denied| &denied.judgement);
        step.result = Some(denial.map_or(ReasonCode::Ok, |denial| denial.result));
        step.message = denial.map(|denial| denial.message.clone());
    }
    let approved = match approved {
        Ok(approved) => approved,
        Err(denied) => {
            world.resource_mut::<DramatisCounters>().actions_refused += 1;
            return Err(denied.judgement.result.to_string());
        }
    };
    let Some(Committed { changes, before }) = commit(world, approved, &*plan) else {
        return Err("ForeignApproval".to_owned());
    };
    plan.progress.spawned += newcomers(&changes).count();
    refresh(world);
    plan.progress
        .changed
        .push(before.changed(&WorldView::new(world)));
    world.resource_mut::<DramatisCounters>().actions_applied += 1;
    let actor = WorldIndex::find(world, step.intent.actor());
    world.get_resource_or_init::<Outbox>().queue(AppliedAction {
        actor,
        run: None,
        turn: None,
        intent: step.intent,
    });
    Ok(())
}

/// The rule by which a step leaves what its plan may touch, in the world as it is now. A step that names nothing is done
/// where the character is: one that was inside the scope must be there still.
fn out_of_reach(world: &World, plan: &Plan, intent: &Intent) -> Option<&'static str> {
    let Judged {
        reach, acts_inside, ..
    } = plan.progress.judged.as_ref()?;
    let view = WorldView::new(world);
    let mut named = intent.references();
    let beyond = named.find_map(|thing| reach.beyond(&view, thing).into_iter().next());
    let names_nothing = intent.references().next().is_none();
    let has_left = names_nothing && *acts_inside && !reach.holds(&view, intent.actor());
    let rule = beyond.map(|beyond| beyond.rule());
    rule.or(has_left.then_some("outside_scope"))
}

/// The same for newcomers that a step brings into the world.
fn brings_out_of_reach(
    view: &WorldView,
    plan: &Plan,
    changes: &[JudgedChange],
) -> Option<&'static str> {
    let reach = &plan.progress.judged.as_ref()?.reach;
    let after = Overlay::after(view, changes);
    let mut brought = newcomers(changes);
    let is_outside = brought.any(|new| !reach.holds(&after, new));
    is_outside.then_some("outside_scope")
}

/// Takes back what steps have changed, the newest first, value by value. What has been changed again since stays as it is:
/// the ids of such entities and the names of such flags are returned, sorted. What a character that is `gone` had carried is
/// now nowhere: that does not count as such a change.
pub(super) fn take_back(
    world: &mut World,
    changed: &[ChangedParts],
    gone: Option<&Id>,
) -> Vec<String> {
    let mut kept = BTreeSet::new();
    for parts in changed.iter().rev() {
        refresh(world);
        let (write, left) = parts.take_back_without(&WorldView::new(world), gone);
        write_parts(world, &write);
        kept.extend(left);
    }
    refresh(world);
    kept.into_iter().collect()
}
