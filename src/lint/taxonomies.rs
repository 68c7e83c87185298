//! Taxonomies of plans: what cannot be planned, checked, scored or decided.

use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::{NeverPossible, NoEffect, Shadowed, Unresolved};
use crate::plans::taxonomy::{
    ChecklistCondition, PlanIntentSpec, PolicyCondition, PolicyRule, RiskFactor, RiskPoints,
    StepMatch, WantedTarget,
};
use crate::plans::{Operation, Taxonomy};
use crate::world::ActionRegistry;

/// Checks a taxonomy.
pub(super) fn check_taxonomy(
    taxonomy: &Taxonomy,
    registry: &ActionRegistry,
    place: &Place,
    findings: &mut Findings,
) {
    // A taxonomy may be for a game whose actions are not known here: it knows them then.
    let is_known =
        |action: &str| registry.shape(action).is_some() || taxonomy.operations.contains_key(action);
    for (name, intent) in &taxonomy.intents {
        let place = place.at(&format!("/intents/{name}"));
        check_intent(intent, &is_known, &place, findings);
    }
    for (i, factor) in taxonomy.risk.iter().enumerate() {
        if !can_score(factor, taxonomy) {
            let message = format!("the factor \"{}\" never gives a point", factor.factor);
            findings.add(NoEffect, &place.item("/risk", i), message);
        }
    }
    for (i, matched) in taxonomy.boundary.iter().enumerate() {
        if !can_be(matched, taxonomy) {
            let message = "no step can match: no action has this operation";
            findings.add(NoEffect, &place.item("/boundary", i), message);
        }
    }
    for (profile, rules) in &taxonomy.policy {
        let place = place.at(&format!("/policy/{}", profile.name()));
        for (i, rule) in rules.iter().enumerate() {
            if let Some(first) = rules[..i].iter().find(|first| hides(first, rule)) {
                let message = format!("\"{}\" decides before \"{}\" is asked", first.id, rule.id);
                findings.add(Shadowed, &place.item("", i), message);
            }
        }
    }
}

fn check_intent(
    intent: &PlanIntentSpec,
    is_known: &dyn Fn(&str) -> bool,
    place: &Place,
    findings: &mut Findings,
) {
    let can_use = |action: &str| {
        is_known(action)
            && (intent.actions.is_empty() || intent.actions.iter().any(|one| one == action))
    };
    for (i, action) in intent.actions.iter().enumerate() {
        if !is_known(action) {
            let message = format!("there is no action \"{}\"", action.escape_debug());
            findings.add(Unresolved, &place.item("/actions", i), message);
        }
    }
    if !intent.actions.is_empty() && !intent.actions.iter().any(|action| is_known(action)) {
        let message = "no plan can do this: none of its actions exists";
        findings.add(NeverPossible, &place.at("/actions"), message);
    }
    for key in intent
        .values
        .keys()
        .filter(|key| !intent.context.contains(key))
    {
        let message = format!("the intent asks for no \"{}\"", key.escape_debug());
        findings.add(Unresolved, &place.at("/values"), message);
    }
    for (i, entry) in intent.checklist.iter().enumerate() {
        let ChecklistCondition::AnyStep(action, target) = &entry.when;
        if let Some(WantedTarget::Context(key)) = target
            && !intent.context.contains(key)
        {
            let message = format!("the intent asks for no \"{}\"", key.escape_debug());
            findings.add(Unresolved, &place.item("/checklist", i), message);
        }
        if can_use(action) {
            continue;
        }
        let so = match entry.required {
            true => "no plan can do this",
            false => "this can never be met",
        };
        let message = format!("{so}: no step of it can be \"{}\"", action.escape_debug());
        findings.add(NeverPossible, &place.item("/checklist", i), message);
    }
}

/// Whether a step can match. Every step of an action without an operation tells something.
fn can_be(matched: &StepMatch, taxonomy: &Taxonomy) -> bool {
    match matched {
        StepMatch::Operation(Operation::Tell) => true,
        StepMatch::Operation(wanted) => taxonomy.operations.values().any(|one| one == wanted),
        _ => true,
    }
}

fn can_score(factor: &RiskFactor, taxonomy: &Taxonomy) -> bool {
    factor.cap > 0
        && factor.points.iter().any(|points| match points {
            RiskPoints::Each(matched, n)
            | RiskPoints::Any(matched, n)
            | RiskPoints::MoreThan(_, matched, n) => *n > 0 && can_be(matched, taxonomy),
            // A plan has at most ten steps, and each at most one target.
            RiskPoints::EachLocationBeyond(k, n) | RiskPoints::EachStepBeyond(k, n) => {
                *n > 0 && *k < 10
            }
        })
}

/// Whether the first rule fits whenever the other one does.
fn hides(first: &PolicyRule, other: &PolicyRule) -> bool {
    match (&first.when, &other.when) {
        (PolicyCondition::Always, _) => true,
        (PolicyCondition::RiskAtMost(most), PolicyCondition::Always) => *most >= 100,
        (PolicyCondition::RiskAtMost(most), PolicyCondition::RiskAtMost(other)) => most >= other,
        (PolicyCondition::AnyStepIs(a), PolicyCondition::AnyStepIs(b)) => a == b,
        _ => false,
    }
}
