//! The order of a plan's steps, and what is wrong with their needs.

use crate::base::ids::is_id;
use crate::proposal::StepReply;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The most steps of a plan.
pub const MAX_STEPS: usize = 10;

/// How many steps of a plan that is too long are looked at.
pub(super) const MAX_LOOKED_AT: usize = 4 * MAX_STEPS;

/// Something that is wrong with a plan, with the rule that says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlanProblem {
    /// The rule, such as `cycle`.
    pub rule: String,
    /// What is wrong, in one sentence for the model and for people.
    pub message: String,
}

impl PlanProblem {
    /// A problem that this rule has found.
    #[must_use]
    pub fn new(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            message: message.into(),
        }
    }
}

/// The places of the steps in the order in which they are carried out: again and again the first listed step whose needs are
/// done comes next.
///
/// # Errors
/// Everything that is wrong: `no_steps`, `too_many_steps`, `bad_step` for an id that is missing or repeated, `unknown_need`,
/// `cycle`.
pub(crate) fn order(steps: &[StepReply]) -> Result<Vec<usize>, Vec<PlanProblem>> {
    let mut problems = Vec::new();
    if steps.is_empty() {
        problems.push(PlanProblem::new("no_steps", "a plan has at least one step"));
    }
    if steps.len() > MAX_STEPS {
        let message = format!("a plan has at most {MAX_STEPS} steps");
        problems.push(PlanProblem::new("too_many_steps", message));
    }
    let steps = &steps[..steps.len().min(MAX_LOOKED_AT)];
    let needs_of =
        |step: &'_ StepReply| -> BTreeSet<String> { step.needs.iter().cloned().collect() };
    let needs: Vec<BTreeSet<String>> = steps.iter().map(needs_of).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        if step.id.trim().is_empty() {
            let message = format!("step {} has no id", at + 1);
            problems.push(PlanProblem::new("bad_step", message));
            continue;
        }
        let id = shown(&step.id);
        if places.insert(&step.id, at).is_some() {
            let message = format!("the id \"{id}\" is there twice");
            problems.push(PlanProblem::new("bad_step", message));
        }
        if !is_id(&step.id) {
            let message = format!("\"{id}\" is not an id: 1-64 characters of A-Z a-z 0-9 _ - .");
            problems.push(PlanProblem::new("bad_step", message));
        }
    }
    for (step, needs) in steps.iter().zip(&needs) {
        let unknown = needs
            .iter()
            .find(|need| !places.contains_key(need.as_str()));
        if let Some(need) = unknown {
            let (id, need) = (shown(&step.id), shown(need));
            let message = format!("\"{id}\" needs \"{need}\", which is not a step");
            problems.push(PlanProblem::new("unknown_need", message));
        }
    }
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut ordered = Vec::new();
    let mut left: Vec<usize> = (0..steps.len()).collect();
    // A missing step is reported above, and blocks no step here.
    let is_ready = |at: usize, done: &BTreeSet<&str>| {
        let known = needs[at]
            .iter()
            .filter(|need| places.contains_key(need.as_str()));
        known.into_iter().all(|need| done.contains(need.as_str()))
    };
    while let Some(next) = left.iter().position(|at| is_ready(*at, &done)) {
        let at = left.remove(next);
        done.insert(&steps[at].id);
        ordered.push(at);
    }
    if !left.is_empty() {
        let ids: Vec<String> = left.iter().map(|at| shown(&steps[*at].id)).collect();
        let message = format!("these steps wait for each other: {}", ids.join(", "));
        problems.push(PlanProblem::new("cycle", message));
    }
    match problems.is_empty() {
        true => Ok(ordered),
        false => Err(problems),
    }
}

/// What a model wrote, for a message.
pub(super) fn shown(text: &str) -> String {
    text.escape_debug().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ProposedAction;

    fn steps(written: &[(&str, &[&str])]) -> Vec<StepReply> {
        let step = |(id, needs): &(&str, &[&str])| StepReply {
            id: (*id).to_owned(),
            needs: needs.iter().map(|need| (*need).to_owned()).collect(),
            action: ProposedAction::default(),
            why: String::new(),
            covers: Vec::new(),
        };
        written.iter().map(step).collect()
    }

    fn rules(written: &[(&str, &[&str])]) -> Vec<String> {
        let problems = order(&steps(written)).unwrap_err();
        problems.into_iter().map(|problem| problem.rule).collect()
    }

    #[test]
    fn a4_the_first_listed_step_whose_needs_are_done_comes_next() {
        let listed = steps(&[
            ("give", &["take", "go"]),
            ("go", &[]),
            ("take", &["go"]),
            ("say", &[]),
        ]);
        assert_eq!(order(&listed), Ok(vec![1, 2, 0, 3]));
        assert_eq!(order(&steps(&[("b", &[]), ("a", &[])])), Ok(vec![0, 1]));
    }

    #[test]
    fn a4_what_is_wrong_with_the_steps_is_all_told() {
        assert_eq!(rules(&[]), ["no_steps"]);
        assert_eq!(rules(&[("a", &["b"]), ("b", &["a"])]), ["cycle"]);
        assert_eq!(rules(&[("a", &["a"])]), ["cycle"]);
        assert_eq!(rules(&[("a", &["x"])]), ["unknown_need"]);
        assert_eq!(
            rules(&[("a", &[]), ("a", &[]), (" ", &[])]),
            ["bad_step", "bad_step"]
        );
        assert_eq!(rules(&[("press yes", &[]), ("s1\n", &[])]).len(), 2);
        let many: Vec<String> = (0..11).map(|i| i.to_string()).collect();
        let many: Vec<(&str, &[&str])> = many.iter().map(|id| (id.as_str(), &[][..])).collect();
        assert_eq!(rules(&many), ["too_many_steps"]);
        assert_eq!(
            rules(&[("a", &["b", "x"]), ("b", &["a"]), ("b", &[])]).len(),
            2
        );
    }
}
