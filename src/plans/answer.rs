//! What a model has answered to a call of a plan, on its way from the gate to the plan.
//!
//! A reply is read once, where it is judged. What a plan takes is that value, spent by the run that it was approved for; where a record
//! is played again there is no run, and the text of the record goes through the same judge.

use super::event::PlanInput;
use super::plan::{CallOf, Plan};
use super::settings::PlanSettings;
use crate::gate::{ApprovedFor, FailureReason, SpendsApprovals, judge_list, judge_wish};
use crate::pipeline::{Run, StageResult};
use crate::proposal::{ParseOptions, StepReply, WishReply, parse_plan, parse_wish};
use crate::story::Rules;

/// What a model has answered: approved, and spent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PlanAnswer {
    /// What is wanted.
    Wish(WishReply),
    /// How it can be done.
    Steps(Vec<StepReply>),
}

impl SpendsApprovals for Plan {
    fn approved_for(&self) -> ApprovedFor {
        ApprovedFor::plan(self.id.0)
    }
}

/// What a run was answered; `None` when that is no answer to a call of a plan, or was approved for another run.
pub(super) fn spend_answer(approved: StageResult, run: &Run) -> Option<PlanAnswer> {
    match approved {
        StageResult::Wish(wish) => wish.spend(run).map(PlanAnswer::Wish),
        StageResult::Steps(steps) => steps.spend(run).map(PlanAnswer::Steps),
        StageResult::Lines(_)
        | StageResult::Intention(_)
        | StageResult::Narration(_)
        | StageResult::Calls(_)
        | StageResult::Actions(_) => None,
    }
}

/// What a record says that a model has answered, read and judged in its form. What its steps do is judged where the plan takes
/// them, as in the game that was recorded.
pub(super) fn recorded_answer(
    rules: &Rules,
    settings: &PlanSettings,
    plan: &Plan,
    recorded: &PlanInput,
) -> Option<PlanAnswer> {
    let PlanInput::Answered {
        of, reply, finish, ..
    } = recorded
    else {
        return None;
    };
    let options = ParseOptions {
        finish: *finish,
        lexicon: &rules.story().lexicon,
        ..ParseOptions::default()
    };
    let bytes = reply.as_bytes();
    match of {
        CallOf::Wish => {
            let taxonomy = &settings.taxonomy;
            let actions = taxonomy.known_actions(rules.of_actions().registry);
            let (_, wish) = judge_wish(plan, &actions, &parse_wish(bytes, &options));
            wish?.spend(plan).map(PlanAnswer::Wish)
        }
        CallOf::Steps => {
            let (_, steps) = judge_list(
                plan,
                FailureReason::PlanRejected,
                Vec::new(),
                &parse_plan(bytes, &options),
            );
            steps?.spend(plan).map(PlanAnswer::Steps)
        }
    }
}
