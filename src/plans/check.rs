//! The checks of a plan, and its dry run. Nothing changes here.

use super::checked_step::CheckedStep;
use super::constraint::{PlanConstraint, resolve};
use super::custom::PlanChecks;
use super::order::{MAX_LOOKED_AT, PlanProblem, order, shown};
use super::reach::{Beyond, Reach, newcomers};
use super::taxonomy::{ChecklistCondition, PlanIntentSpec, WantedTarget};
use crate::base::ids::Id;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::Turn;
use crate::proposal::{PlanConstraintKind, StepReply};
use crate::text::fold::fold;
use crate::world::{ActionRules, Intent, May, Overlay, Slot, WorldRead};
use std::collections::{BTreeMap, BTreeSet};

/// The most distinct things that a plan names.
pub const MAX_TARGETS: usize = 15;
/// The most problems of one plan that are told.
const MAX_PROBLEMS: usize = 64;

/// What a plan is checked against.
pub struct PlanRules<'a> {
    /// What is wanted, as the taxonomy describes it.
    pub intent: &'a PlanIntentSpec,
    /// What the wish gives, by key.
    pub context: &'a BTreeMap<String, String>,
    /// What is demanded, forbidden and preferred.
    pub(crate) constraints: &'a [PlanConstraint],
    /// What steps may touch.
    pub(crate) reach: &'a Reach,
    /// Who is to carry it out.
    pub npc: &'a Id,
    /// Ids of people who may have no entity: those who speak here.
    pub people: &'a [&'a Id],
    /// What actions are judged by.
    pub actions: ActionRules<'a>,
    /// What the ids of newcomers are derived from.
    pub key: TurnKey,
    /// The world as it is.
    pub world: &'a dyn WorldRead,
    /// The checks of the game.
    pub checks: &'a PlanChecks,
}

/// A plan that has passed its checks.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedPlan {
    /// Its steps, in the order in which they are carried out.
    pub steps: Vec<CheckedStep>,
    /// How many entries of the checklist are met, and MUSTs are covered.
    pub met: usize,
    /// How many of both there are.
    pub wanted: usize,
    /// How many PREFERs that name something no step matches.
    pub unmatched_preferences: usize,
}

/// Checks the steps of a plan, all checks of all steps, and judges them in sequence on a working copy of the world.
///
/// # Errors
/// Everything that is wrong, each with its rule.
pub(crate) fn check(
    rules: &PlanRules,
    written: &[StepReply],
) -> std::result::Result<CheckedPlan, Vec<PlanProblem>> {
    let mut problems = Vec::new();
    let ordered = order(written).unwrap_or_else(|found| {
        problems = found;
        (0..written.len().min(MAX_LOOKED_AT)).collect()
    });
    let mut turn = Turn::new(rules.actions, rules.key.clone(), rules.world, Vec::new());
    let steps = normalise_all(rules, &mut turn, written, &ordered, &mut problems);
    check_reach(rules, &steps, turn.world(), &mut problems);
    for step in &steps {
        let (id, kind) = (shown(&step.written.id), step.intent.kind());
        let listed = &rules.intent.actions;
        if !listed.is_empty() && !listed.iter().any(|action| action == kind) {
            let message = format!("step \"{id}\": \"{kind}\" is not a part of this");
            problems.push(PlanProblem::new("not_in_taxonomy", message));
        }
    }
    let covered = check_constraints(rules, &steps, &mut problems);
    let met = check_completeness(rules, &steps, &mut problems);
    problems.extend(rules.checks.problems(rules.npc, &steps, rules.world));
    if !problems.is_empty() {
        problems.sort_by_key(|problem| rank(&problem.rule));
        problems.truncate(MAX_PROBLEMS);
        return Err(problems);
    }
    let of_kind = |kind| rules.constraints.iter().filter(move |c| c.kind() == kind);
    let preferences = of_kind(PlanConstraintKind::Prefer);
    let unmatched =
        preferences.filter(|one| one.spec.can_be_checked() && !any_matches(one, &steps));
    Ok(CheckedPlan {
        unmatched_preferences: unmatched.count(),
        met: met + covered,
        wanted: rules.intent.checklist.len() + of_kind(PlanConstraintKind::Must).count(),
        steps,
    })
}

/// The place of a rule in the order of the checks; those of the game come last.
fn rank(rule: &str) -> usize {
    const ORDER: [&str; 12] = [
        "no_steps",
        "bad_step",
        "unknown_need",
        "cycle",
        "too_many_steps",
        "too_many_targets",
        "outside_scope",
        "protected",
        "not_in_taxonomy",
        "must_not",
        "must_uncovered",
        "incomplete",
    ];
    let name = rule.split(':').next().unwrap_or_default();
    let mut order = ORDER.iter();
    order
        .position(|known| *known == name)
        .unwrap_or(ORDER.len())
}

fn normalise_all(
    rules: &PlanRules,
    turn: &mut Turn,
    written: &[StepReply],
    ordered: &[usize],
    problems: &mut Vec<PlanProblem>,
) -> Vec<CheckedStep> {
    let target_field = |intent: &Intent| {
        let shape = rules.actions.registry.shape(intent.kind())?;
        let mut fields = shape.fields.iter();
        fields
            .find(|field| field.slot == Some(Slot::Target))
            .map(|field| field.name)
    };
    let mut steps = Vec::new();
    for at in ordered.iter().take(MAX_LOOKED_AT) {
        let written = &written[*at];
        // What it may do at all is for the gates: a plan that asks for more is denied, not written again.
        match turn.normalise(&written.action, rules.npc, May::All, rules.people) {
            Ok(intent) => {
                let before = turn.world().changes().len();
                let judgement = turn.apply(&intent);
                steps.push(CheckedStep {
                    written: written.clone(),
                    brings: newcomers(&turn.world().changes()[before..])
                        .cloned()
                        .collect(),
                    is_specific: is_specific(written, &intent, target_field(&intent)),
                    dry: judgement.result,
                    intent,
                });
            }
            Err(error) => {
                let id = shown(&written.id);
                let message = format!("step \"{id}\": {}: {error}", error.rule());
                problems.push(PlanProblem::new("bad_step", message));
            }
        }
    }
    steps
}

/// Whether a step has written the id of its target, or has none.
fn is_specific(written: &StepReply, intent: &Intent, field: Option<&str>) -> bool {
    let Some(target) = intent.target() else {
        return true;
    };
    let said = field.and_then(|field| written.action.fields.get(field)?.as_str());
    said.is_some_and(|said| fold(said.trim()) == fold(target))
}

/// Scope, protected kinds, and how many things are named. `after`: the world as all steps would leave it.
fn check_reach(
    rules: &PlanRules,
    steps: &[CheckedStep],
    after: &Overlay,
    problems: &mut Vec<PlanProblem>,
) {
    let mut named = BTreeSet::new();
    for step in steps {
        let id = shown(&step.written.id);
        let mut beyond = Vec::new();
        for thing in step.intent.references() {
            named.insert(thing);
            // What the plan itself brings is where the plan puts it.
            let world: &dyn WorldRead = match rules.world.exists(thing) {
                true => rules.world,
                false => after,
            };
            beyond.extend(rules.reach.beyond(world, thing));
        }
        let outside = step
            .brings
            .iter()
            .filter(|new| !rules.reach.holds(after, new));
        beyond.extend(outside.map(|new| Beyond::OutsideScope(new.to_string())));
        problems.extend(
            beyond
                .iter()
                .map(|beyond| PlanProblem::new(beyond.rule(), format!("step \"{id}\": {beyond}"))),
        );
    }
    if named.len() > MAX_TARGETS {
        let message = format!("a plan names at most {MAX_TARGETS} things");
        problems.push(PlanProblem::new("too_many_targets", message));
    }
}

fn any_matches(constraint: &PlanConstraint, steps: &[CheckedStep]) -> bool {
    let mut steps = steps.iter();
    steps.any(|step| constraint.matches(&step.intent, &step.written.why))
}

/// How many MUSTs are covered.
fn check_constraints(
    rules: &PlanRules,
    steps: &[CheckedStep],
    problems: &mut Vec<PlanProblem>,
) -> usize {
    let mut covered = 0;
    for constraint in rules.constraints {
        let (id, text) = (&constraint.id, shown(&constraint.spec.text));
        match constraint.kind() {
            PlanConstraintKind::MustNot => {
                let hit = steps
                    .iter()
                    .find(|step| constraint.matches(&step.intent, &step.written.why));
                if let Some(step) = hit {
                    let step = shown(&step.written.id);
                    let message = format!("step \"{step}\" does what must not be: {text}");
                    problems.push(PlanProblem::new(format!("must_not:{id}"), message));
                }
            }
            PlanConstraintKind::Must => {
                let is_covered = match constraint.spec.can_be_checked() {
                    true => any_matches(constraint, steps),
                    false => steps.iter().any(|step| step.written.covers.contains(id)),
                };
                covered += usize::from(is_covered);
                if !is_covered {
                    let message = format!("no step covers what must be: {text}");
                    problems.push(PlanProblem::new(format!("must_uncovered:{id}"), message));
                }
            }
            PlanConstraintKind::Prefer => {}
        }
    }
    covered
}

/// How many entries of the checklist are met.
fn check_completeness(
    rules: &PlanRules,
    steps: &[CheckedStep],
    problems: &mut Vec<PlanProblem>,
) -> usize {
    let lexicon = rules.actions.lexicon;
    let named = |words: &str| -> Vec<String> {
        let found = resolve(rules.world, rules.npc, lexicon, words);
        match found.is_empty() {
            true => vec![words.trim().to_owned()],
            false => found.into_iter().map(String::from).collect(),
        }
    };
    let mut met = 0;
    for entry in &rules.intent.checklist {
        let ChecklistCondition::AnyStep(action, target) = &entry.when;
        let target = target.as_ref().map(|target| match target {
            WantedTarget::Id(id) => vec![id.clone()],
            WantedTarget::Context(key) => named(rules.context.get(key).map_or("", String::as_str)),
        });
        let is_met = steps.iter().any(|step| {
            let fits = target.as_ref().is_none_or(|targets| {
                let mut targets = targets.iter();
                targets.any(|target| step.intent.target() == Some(target))
            });
            step.intent.kind() == action && fits
        });
        met += usize::from(is_met);
        if !is_met && entry.required {
            let on = target.map_or(String::new(), |targets| {
                format!(" with \"{}\"", shown(&targets.join("\" or \"")))
            });
            let message = format!("there is no step \"{action}\"{on}");
            problems.push(PlanProblem::new(
                format!("incomplete:{}", entry.id),
                message,
            ));
        }
    }
    met
}
