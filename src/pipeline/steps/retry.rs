//! Component 9, retry: what the next attempt is told.
//!
//! Every kind of failure changes the next attempt. An unmet requirement is restated, never turned into a ban.

use super::prompt::escape;
use super::snapshot::{Escalated, StateSnapshot};
use crate::base::canonical::Encoded;
use crate::base::clock::DramatisClock;
use crate::events::AttemptFailed;
use crate::gate::{Failure, FailureReason};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{RunFault, Serves, Step, StepResult, run_component};
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::run::attempt::{AttemptError, AttemptLog, AttemptRecord};
use crate::pipeline::run::attempt_log::Frozen;
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::stage::StageTask;
use crate::policy::Escalation;
use crate::rules::{Constraint, ConstraintKind, RuleSeverity};
use crate::text::{PromptWords, excerpt};
use bevy::prelude::*;
use std::sync::Arc;

/// Works out what the next attempt is told about a failed one.
#[must_use]
pub(crate) fn escalate(
    escalation: Escalation,
    constraints: &[Arc<Encoded<Constraint>>],
    failed: &AttemptRecord,
    words: &PromptWords,
) -> Escalated {
    let mut next = Escalated::default();
    let verdict = failed.verdict.as_ref();
    let findings: Vec<&Failure> = verdict
        .map(|v| v.failures.iter().chain(&v.warnings).collect())
        .unwrap_or_default();
    let add = matches!(
        escalation,
        Escalation::AddSpecificProhibition | Escalation::Full
    );
    let harden = matches!(
        escalation,
        Escalation::HardenRequirements | Escalation::Full
    );
    for finding in &findings {
        let rule = constraints.iter().find(|c| c.id == finding.rule);
        let rule = rule.map(|rule| &***rule);
        next.feedback.push(feedback_on(finding, rule, words));
        let Some(rule) = rule else {
            continue;
        };
        match finding.reason {
            FailureReason::ProhibitionViolated if add && finding.severity > RuleSeverity::Soft => {
                next.constraints
                    .push(Arc::new(Encoded::new(restated(rule, failed.index, words))));
            }
            FailureReason::RequirementNotMet if harden => next
                .constraints
                .push(Arc::new(Encoded::new(hardened(rule, words)))),
            _ => {}
        }
    }
    if let Some(error) = failed.error {
        let said = match error {
            AttemptError::Oversized => "feedback_too_long",
            AttemptError::NotUtf8 => "feedback_unreadable",
            _ => "feedback_lost",
        };
        next.feedback.push(words.get(said).to_owned());
    }
    next.feedback = bounded(next.feedback, words);
    next
}

/// The most lines of feedback.
const MAX_FEEDBACK: usize = 8;

/// No line twice, and not more lines than a model would heed.
fn bounded(lines: Vec<String>, words: &PromptWords) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut more = 0;
    for line in lines {
        if kept.contains(&line) {
            continue;
        }
        if kept.len() < MAX_FEEDBACK {
            kept.push(line);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        kept.push(words.say("feedback_more", &[("more", &more.to_string())]));
    }
    kept
}

/// The most characters of a message in feedback.
const MAX_MESSAGE: usize = 300;

/// What a finding says to the model. The rule of a closed topic is its pattern, which would tell more than the character may
/// know: only the words that hit it are repeated.
fn feedback_on(finding: &Failure, rule: Option<&Constraint>, words: &PromptWords) -> String {
    let quoted = finding.span.as_ref();
    let quoted = quoted.map(|span| format!(" (\"{}\")", excerpt(&escape(&span.text))));
    let mut message: String = escape(&finding.message).chars().take(MAX_MESSAGE).collect();
    // The offending words come at the end of a message; a long description must not cut them off.
    if finding.message.chars().nth(MAX_MESSAGE).is_some() {
        message.push_str("..");
        message.extend(quoted.as_deref());
    }
    let entry = match finding.reason {
        FailureReason::ProhibitionViolated | FailureReason::CustomRule => "feedback_rule",
        FailureReason::RequirementNotMet => "feedback_required",
        FailureReason::CanonContradiction => "feedback_canon",
        FailureReason::KnowledgeBoundary => "feedback_topic",
        FailureReason::CanonMutation | FailureReason::AuthorityViolation => "feedback_fact",
        FailureReason::InvalidFormat => "feedback_form",
        FailureReason::ActionRejected if finding.span.is_some() => "feedback_closed",
        FailureReason::ActionRejected => "feedback_action",
        FailureReason::PlanRejected => "feedback_plan",
        FailureReason::VoiceRefused => "feedback_voice",
        FailureReason::VerdictContradicted => "feedback_told",
        FailureReason::Repetition => "feedback_echo",
        FailureReason::WrongLanguage => "feedback_language",
    };
    let rule_id = excerpt(&escape(&finding.rule));
    let asked = rule.map_or(finding.rule.as_str(), in_its_words);
    let values = [
        ("message", message.as_str()),
        ("words", quoted.as_deref().unwrap_or_default()),
        ("asked", asked),
        ("rule", &rule_id),
    ];
    words.say(entry, &values)
}

/// What a rule asks for, in its author's words.
fn in_its_words(rule: &Constraint) -> &str {
    let told = [&rule.prompt, &rule.description, &rule.id];
    let told = told.into_iter().find(|words| !words.is_empty());
    told.map_or("", String::as_str)
}

/// The violated prohibition once more, in its author's words. The offending ones are in the feedback alone: among the rules
/// only authors speak.
fn restated(rule: &Constraint, attempt: u32, words: &PromptWords) -> Constraint {
    Constraint {
        id: format!("retry_{}_{attempt}", rule.id),
        prompt: words.say("restated", &[("rule", in_its_words(rule))]),
        restates: Some(rule.id.clone()),
        standing: false,
        ..rule.clone()
    }
}

/// The unmet requirement once more, as a must. Nothing becomes Critical.
fn hardened(rule: &Constraint, words: &PromptWords) -> Constraint {
    // It is hardened once, however many attempts leave it unmet.
    let around = words.get("must").split_once("{{rule}}");
    let is_must = around.is_some_and(|(before, after)| {
        rule.prompt.starts_with(before) && rule.prompt.ends_with(after)
    });
    let prompt = match is_must {
        true => rule.prompt.clone(),
        false => words.say("must", &[("rule", &rule.prompt)]),
    };
    Constraint {
        severity: rule.severity.max(RuleSeverity::Hard),
        kind: ConstraintKind::Requirement,
        prompt,
        standing: false,
        ..rule.clone()
    }
}

/// The step: decides for a run whose attempt has failed whether another attempt follows. It does so in the next pass, from
/// its snapshot on.
pub(crate) struct DecideRetry;

impl Step for DecideRetry {
    const PHASE: RunPhase = RunPhase::Failed;
    const READS: Option<RunStep> = Some(RunStep::Failure);
    const SERVES: Serves = Serves::All;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let run = run_component::<Run>(world, entity)?;
        let log = run_component::<AttemptLog>(world, entity)?;
        let now = world.resource::<DramatisClock>().call;
        // No attempt at all: the run failed before its first prompt.
        let Some(record) = log.0.last() else {
            return Ok(RunPhase::Fallback);
        };
        let stage = run.stage();
        let failures = record.verdict.as_ref().map(|v| v.failures.clone());
        let failed = AttemptFailed {
            entity: Some(run.npc_entity()),
            npc: run.npc().to_owned(),
            run: entity,
            attempt: record.index,
            error: record.error,
            message: record.error_message.clone(),
            failures: failures.unwrap_or_default(),
        };
        let faulty = matches!(
            record.error,
            Some(AttemptError::Timeout | AttemptError::Transport | AttemptError::Deadline)
        );
        // A reply that arrives exactly at the deadline is in time.
        let in_time = run.policy().fault_retries > 0 || now <= run.deadline();
        let mut counted = run.clone();
        match faulty && run.policy().fault_retries > 0 {
            true => counted.note_fault(now),
            false => counted.note_answer(),
        }
        let run = &counted;
        let task = world
            .get::<StageTask>(entity)
            .map(|task| &task.prompt_words);
        let snapshot = world.get::<StateSnapshot>(entity);
        let words = task.or_else(|| Some(&snapshot?.body().words));
        let english = PromptWords::default();
        let words = words.unwrap_or(&english);
        let next = (in_time && !run.is_last_attempt())
            .then(|| {
                Frozen::of(run, world.get(entity), world.get(entity))
                    .ok_or(RunFault::RunComponent("StateSnapshot"))
            })
            .transpose()?
            .map(|frozen| {
                let escalation = run.policy().escalation;
                escalate(escalation, frozen.constraints, record, words)
            });
        let next = next.map(|escalated| Escalated {
            said: world
                .get::<HeardSentences>(entity)
                .map(HeardSentences::judged_line)
                .unwrap_or_default(),
            ..escalated
        });
        if let Some(mut run) = world.get_mut::<Run>(entity) {
            *run = counted;
        }
        if !stage.is_background() {
            world.resource_mut::<Outbox>().tell_about(failed);
        }
        let Some(escalated) = next else {
            return Ok(RunPhase::Fallback);
        };
        world.entity_mut(entity).insert(escalated);
        Ok(RunPhase::Snapshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Verdict;
    use crate::rules::RuleLevel;
    use crate::text::Lexicon;

    fn constraint(id: &str, kind: ConstraintKind, severity: RuleSeverity) -> Constraint {
        Constraint {
            id: id.into(),
            kind,
            severity,
            level: RuleLevel::Npc,
            description: String::new(),
            prompt: format!("{id} prompt"),
            patterns: Vec::new(),
            lifts: Vec::new(),
            restates: None,
            standing: false,
        }
    }

    fn failed(reason: FailureReason, rule: &str, severity: RuleSeverity) -> AttemptRecord {
        let finding = Failure {
            reason,
            rule: rule.into(),
            severity,
            span: Some(crate::text::Span::of("the vault", 4, 9)),
            message: "said \"vault\"".into(),
        };
        let mut verdict = Verdict::default();
        if severity == RuleSeverity::Soft {
            verdict.warnings.push(finding);
        } else {
            verdict.failures.push(finding);
        }
        AttemptRecord {
            verdict: Some(verdict),
            ..AttemptRecord::default()
        }
    }

    fn encoded(constraint: Constraint) -> Arc<Encoded<Constraint>> {
        Arc::new(Encoded::new(constraint))
    }

    fn escalated(
        escalation: Escalation,
        rules: &[Arc<Encoded<Constraint>>],
        record: &AttemptRecord,
    ) -> Escalated {
        escalate(escalation, rules, record, &PromptWords::default())
    }

    #[test]
    fn p10_requirement_is_never_banned() {
        let rules = [encoded(constraint(
            "ask",
            ConstraintKind::Requirement,
            RuleSeverity::Soft,
        ))];
        let record = failed(FailureReason::RequirementNotMet, "ask", RuleSeverity::Soft);
        for escalation in [Escalation::None, Escalation::AddSpecificProhibition] {
            assert!(
                escalated(escalation, &rules, &record)
                    .constraints
                    .is_empty()
            );
        }
        for escalation in [Escalation::HardenRequirements, Escalation::Full] {
            let next = escalated(escalation, &rules, &record);
            assert_eq!(next.constraints.len(), 1);
            let raised = &next.constraints[0];
            assert_eq!(
                (raised.id.as_str(), raised.kind),
                ("ask", ConstraintKind::Requirement)
            );
            assert_eq!(raised.severity, RuleSeverity::Hard);
            assert!(raised.prompt.contains("ask prompt"));
        }
    }

    #[test]
    fn p10_a_hit_is_restated_in_the_words_of_its_author() {
        let rules = [encoded(constraint(
            "vault",
            ConstraintKind::Prohibition,
            RuleSeverity::Hard,
        ))];
        let record = failed(
            FailureReason::ProhibitionViolated,
            "vault",
            RuleSeverity::Hard,
        );
        let next = escalated(Escalation::AddSpecificProhibition, &rules, &record);
        assert_eq!(next.constraints[0].id, "retry_vault_0");
        assert!(next.constraints[0].prompt.contains("vault prompt"));
        assert!(!next.constraints[0].prompt.contains("\"vault\""));
        assert!(next.feedback[0].contains("vault"));
        assert!(
            escalated(Escalation::HardenRequirements, &rules, &record)
                .constraints
                .is_empty()
        );
    }

    const REASONS: [FailureReason; 14] = [
        FailureReason::ProhibitionViolated,
        FailureReason::RequirementNotMet,
        FailureReason::CanonContradiction,
        FailureReason::KnowledgeBoundary,
        FailureReason::CanonMutation,
        FailureReason::AuthorityViolation,
        FailureReason::InvalidFormat,
        FailureReason::ActionRejected,
        FailureReason::CustomRule,
        FailureReason::PlanRejected,
        FailureReason::VoiceRefused,
        FailureReason::VerdictContradicted,
        FailureReason::Repetition,
        FailureReason::WrongLanguage,
    ];

    #[test]
    fn p10_every_kind_of_failure_brings_feedback() {
        for reason in REASONS {
            let next = escalated(
                Escalation::None,
                &[],
                &failed(reason, "no_vault", RuleSeverity::Hard),
            );
            assert!(next.feedback[0].contains("vault"), "{reason:?}");
        }
        for error in [
            AttemptError::Timeout,
            AttemptError::Oversized,
            AttemptError::NotUtf8,
        ] {
            let record = AttemptRecord {
                error: Some(error),
                ..AttemptRecord::default()
            };
            assert_eq!(escalated(Escalation::None, &[], &record).feedback.len(), 1);
        }
    }

    #[test]
    fn p10_a_german_character_is_told_in_german_what_was_wrong() {
        let german = &Lexicon::german().prompt;
        for reason in REASONS {
            let rules = [encoded(constraint(
                "x",
                ConstraintKind::Requirement,
                RuleSeverity::Hard,
            ))];
            let failed = failed(reason, "x", RuleSeverity::Hard);
            let [english, german] = [&PromptWords::default(), german]
                .map(|words| escalate(Escalation::Full, &rules, &failed, words));
            assert_ne!(english.feedback, german.feedback, "{reason:?}");
            let english_words = ["You ", "Your ", "you "];
            let said = german.constraints.iter().map(|rule| rule.prompt.as_str());
            for line in german.feedback.iter().map(String::as_str).chain(said) {
                let foreign = english_words.iter().any(|word| line.contains(word));
                assert!(!foreign, "{reason:?}: {line}");
            }
        }
    }

    #[test]
    fn p10_a_requirement_is_hardened_once_in_every_language() {
        for words in [&PromptWords::default(), &Lexicon::german().prompt] {
            let rule = constraint("ask", ConstraintKind::Requirement, RuleSeverity::Soft);
            let once = hardened(&rule, words);
            assert_ne!(once.prompt, rule.prompt);
            assert_eq!(hardened(&once, words), once);
        }
    }
}
