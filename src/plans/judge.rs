//! The judge of plans: what the checks and the gates say of one, by the rules of the game or by others. It changes the plan
//! alone.

use super::answer::{PlanAnswer, recorded_answer};
use super::check::{CheckedPlan, PlanRules, check};
use super::constraint::PlanConstraint;
use super::custom::PlanChecks;
use super::decision::{Approval, DecisionInput, decide};
use super::event::PlanInput;
use super::order::PlanProblem;
use super::plan::{Awaited, CallOf, Judged, Plan, PlanProgress, PlanStatus, PlanStep};
use super::plans::Plans;
use super::profile::Answer;
use super::quality::{Measures, quality};
use super::risk::{MAX_RISK, risk};
use super::security::{forbidden_in, forbidden_in_wish, living, security, turn_key};
use super::settings::PlanSettings;
use super::step_facts::StepFacts;
use super::targets::{TargetState, target_facts};
use super::words::spoken;
use crate::authoring::{Character, StoryBook};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::npc::PlayerId;
use crate::proposal::{PlanConstraintKind, StepReply};
use crate::story::Rules;
use crate::text::Lexicon;
use crate::world::WorldView;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rules that plans are judged by.
#[derive(Clone, Copy)]
pub(crate) struct PlanJudge<'a> {
    rules: Rules<'a>,
    /// Taxonomy, profile, scope and the game's constraints.
    pub(super) settings: &'a PlanSettings,
}

impl<'a> PlanJudge<'a> {
    /// The judge of the game.
    pub(super) fn of_game(world: &'a World) -> Self {
        Self {
            rules: Rules::of_game(world),
            settings: world.resource::<PlanSettings>(),
        }
    }

    /// The same by other rules: this story and these settings, if they are given, and these files of characters.
    pub(crate) fn by(
        world: &'a World,
        story: Option<&'a Arc<StoryBook>>,
        characters: &'a BTreeMap<Id, Arc<Character>>,
        settings: Option<&'a PlanSettings>,
    ) -> Self {
        let of_game = Self::of_game(world);
        Self {
            rules: of_game.rules.with(story, characters),
            settings: settings.unwrap_or(of_game.settings),
        }
    }

    /// The language of a plan of this character.
    pub(super) fn lexicon(&self, npc: &Id) -> Arc<Lexicon> {
        let own = living(self.rules.world, npc);
        let own = own.and_then(|(_, own)| self.rules.of_character(own).lexicon.clone());
        own.unwrap_or_else(|| self.rules.story().lexicon.clone())
    }

    /// The constraints of a plan: the game's, then those of the wish.
    pub(super) fn constraints(&self, plan: &Plan) -> Vec<PlanConstraint> {
        let view = WorldView::new(self.rules.world);
        let npc = &plan.asked.npc;
        let lexicon = self.lexicon(npc);
        let of_wish = plan.wish.iter().flat_map(|wish| &wish.constraints);
        let specs = self.settings.constraints.iter().chain(of_wish);
        specs
            .enumerate()
            .map(|(index, spec)| PlanConstraint::new(index, spec, &view, npc, &lexicon))
            .collect()
    }

    /// What is wrong with steps for this plan, in the world as it is.
    pub(super) fn problems(
        &self,
        plan: &Plan,
        steps: &[StepReply],
    ) -> std::result::Result<CheckedPlan, Vec<PlanProblem>> {
        let (world, settings) = (self.rules.world, self.settings);
        let unknown = || {
            vec![PlanProblem::new(
                "UnknownIntent",
                "the taxonomy has no such intent",
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
                actions: self.rules.of_actions(),
                key: turn_key(world, plan.id),
                world: &WorldView::new(world),
                checks: world.resource::<PlanChecks>(),
            },
            steps,
        )
    }

    /// The rule that forbids what a model has understood of the wish.
    pub(super) fn forbidden_in_wish(&self, plan: &Plan) -> Option<String> {
        forbidden_in_wish(&self.rules, plan)
    }

    /// Takes the steps that a model has written, if they pass the checks in the world as it is now, weighs them and decides.
    /// Whether the plan may be carried out without asking: then its status is not set yet.
    pub(super) fn take_steps(&self, plan: &mut Plan, steps: &[StepReply]) -> Answer {
        match self.problems(plan, steps) {
            Ok(checked) => {
                self.weigh(plan, checked);
                self.settle(plan)
            }
            // The world has changed since its judge looked at it.
            Err(problems) => {
                plan.failures = problems;
                end(plan, PlanStatus::Rejected, "InvalidPlan");
                Answer::Deny
            }
        }
    }

    /// Weighs a plan that was checked.
    fn weigh(&self, plan: &mut Plan, checked: CheckedPlan) {
        let (world, settings) = (self.rules.world, self.settings);
        let taxonomy = &settings.taxonomy;
        let lexicon = self.lexicon(&plan.asked.npc);
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
        // The cut part of a reason is not shown, but it is judged.
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
            forbidden_by: security(&self.rules, plan, &plan.steps)
                .or_else(|| forbidden_in(&self.rules, plan, &reasons))
                .or_else(|| forbidden_in_wish(&self.rules, plan)),
            steps: facts,
            has_unchecked_constraint: unchecked,
            custom,
            acts_inside: reach.holds(&WorldView::new(world), &plan.asked.npc),
            reach,
        });
    }

    /// What the gates say, with this answer of the player.
    pub(super) fn decide(&self, plan: &mut Plan, approval: Approval) -> Answer {
        let (Some(judged), Some(risk), Some(quality)) =
            (&plan.progress.judged, &plan.risk, &plan.quality)
        else {
            return Answer::Deny;
        };
        let decision = decide(&DecisionInput {
            taxonomy: &self.settings.taxonomy,
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

    /// Decides on a plan about which no player was asked. Where it may be carried out, its status is not set yet.
    pub(super) fn settle(&self, plan: &mut Plan) -> Answer {
        let answer = self.decide(plan, Approval::Waiting);
        match answer {
            Answer::Allow => {}
            Answer::Deny => deny(plan),
            Answer::Confirm | Answer::Pass if self.settings.has_approver => {
                ask(self.rules.world, plan, PlanStatus::Pending, None);
            }
            Answer::Confirm | Answer::Pass => {
                self.decide(plan, Approval::NoApprover);
                deny(plan);
            }
        }
        answer
    }

    /// What would become of a plan whose steps a model has just written; `None` where something else has happened.
    pub(crate) fn second_opinion(&self, plan: &Plan, input: &PlanInput) -> Option<Plan> {
        let PlanInput::Answered {
            of: CallOf::Steps,
            regenerations,
            failures,
            ..
        } = input
        else {
            return None;
        };
        let mut again = Plan {
            steps: Vec::new(),
            risk: None,
            quality: None,
            decision: None,
            status: PlanStatus::Planning,
            reason: None,
            approved_by: None,
            proposed_at: None,
            regenerations: *regenerations,
            failures: failures.clone(),
            progress: PlanProgress {
                awaited: Awaited::Nothing,
                ..PlanProgress::default()
            },
            ..plan.clone()
        };
        again.constraints = self.constraints(&again);
        match recorded_answer(&self.rules, self.settings, &again, input) {
            Some(PlanAnswer::Steps(steps)) => {
                if self.take_steps(&mut again, &steps) == Answer::Allow {
                    again.status = PlanStatus::Ready;
                }
            }
            _ => end(&mut again, PlanStatus::Rejected, "InvalidPlan"),
        }
        Some(again)
    }
}

/// A plan is over.
pub(super) fn end(plan: &mut Plan, status: PlanStatus, reason: &str) {
    plan.status = status;
    plan.reason = Some(reason.to_owned());
    plan.progress.awaited = Awaited::Nothing;
}

/// The player is asked.
pub(super) fn ask(world: &World, plan: &mut Plan, status: PlanStatus, reason: Option<&str>) {
    plan.status = status;
    plan.reason = reason.map(str::to_owned);
    plan.progress.asked_at = world.resource::<Plans>().patience;
    if status == PlanStatus::Asking {
        plan.progress.waits_since = world.resource::<DramatisClock>().game;
    }
}

/// It may not be carried out.
fn deny(plan: &mut Plan) {
    let reason = plan.decision.as_ref().and_then(|decision| {
        let deciding = decision.deciding_gate.as_ref()?;
        let gate = decision.gates.iter().find(|gate| gate.gate == *deciding)?;
        gate.reason.clone()
    });
    plan.status = PlanStatus::Denied;
    plan.reason = reason;
}
