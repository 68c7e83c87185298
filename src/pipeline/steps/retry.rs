//! Component 9, retry: what the next attempt is told.
//!
//! Every kind of failure changes the next attempt. An unmet requirement is restated, never turned into a ban.

use super::prompt::escape;
use super::snapshot::Escalated;
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
use crate::policy::Escalation;
use crate::rules::{Constraint, ConstraintKind, RuleSeverity};
use crate::text::excerpt;
use bevy::prelude::*;
use std::sync::Arc;

/// Works out what the next attempt is told about a failed one.
#[must_use]
pub fn escalate(
    escalation: Escalation,
    constraints: &[Arc<Encoded<Constraint>>],
    failed: &AttemptRecord,
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
        next.feedback.push(feedback_on(finding));
        let Some(rule) = constraints.iter().find(|c| c.id == finding.rule) else {
            continue;
        };
        match finding.reason {
            FailureReason::ProhibitionViolated if add && finding.severity > RuleSeverity::Soft => {
                next.constraints
                    .push(Arc::new(Encoded::new(restated(rule, failed.index))));
            }
            FailureReason::RequirementNotMet if harden => next
                .constraints
                .push(Arc::new(Encoded::new(hardened(rule)))),
            _ => {}
        }
    }
    if let Some(error) = failed.error {
        next.feedback.push(match error {
            AttemptError::Oversized => "Your answer was too long. Answer briefly.".to_owned(),
            AttemptError::NotUtf8 => {
                "Your answer could not be read. Answer in plain text.".to_owned()
            }
            _ => "Your last answer did not arrive. Answer again.".to_owned(),
        });
    }
    next.feedback = bounded(next.feedback);
    next
}

/// The most lines of feedback.
const MAX_FEEDBACK: usize = 8;

/// No line twice, and not more lines than a model would heed.
fn bounded(lines: Vec<String>) -> Vec<String> {
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
        kept.push(format!("and {more} more of the kind"));
    }
    kept
}

/// The most characters of a message in feedback.
const MAX_MESSAGE: usize = 300;

/// What a finding says to the model: the reason, the rule, and the beginning of the offending words. The rule of a closed topic
/// is its pattern, which would tell more than the character may know.
fn feedback_on(finding: &Failure) -> String {
    let mut message: String = escape(&finding.message).chars().take(MAX_MESSAGE).collect();
    // The offending words stand at the end of a message; a long description must not cut them off.
    if let Some(span) = finding
        .span
        .as_ref()
        .filter(|_| finding.message.chars().nth(MAX_MESSAGE).is_some())
    {
        message.push_str(&format!(".. (\"{}\")", excerpt(&escape(&span.text))));
    }
    let is_topic = match finding.reason {
        FailureReason::KnowledgeBoundary => true,
        FailureReason::ActionRejected => finding.span.is_some(),
        _ => false,
    };
    match is_topic {
        true => format!("{:?}: {message}", finding.reason),
        false => format!(
            "{:?}, rule {}: {message}",
            finding.reason,
            excerpt(&escape(&finding.rule))
        ),
    }
}

/// The violated prohibition once more, in its author's words. The offending ones stand in the feedback alone: among the rules
/// nobody but an author speaks.
fn restated(rule: &Constraint, attempt: u32) -> Constraint {
    let told = [&rule.prompt, &rule.description, &rule.id];
    let told = told.into_iter().find(|words| !words.is_empty());
    Constraint {
        id: format!("retry_{}_{attempt}", rule.id),
        prompt: format!(
            "You broke this rule. Do not break it again: {}",
            told.map_or("", String::as_str)
        ),
        restates: Some(rule.id.clone()),
        ..rule.clone()
    }
}

/// The unmet requirement once more, as a must. Nothing becomes Critical.
fn hardened(rule: &Constraint) -> Constraint {
    let prompt = rule.prompt.strip_prefix(MUST).unwrap_or(&rule.prompt);
    Constraint {
        severity: rule.severity.max(RuleSeverity::Hard),
        kind: ConstraintKind::Requirement,
        prompt: format!("{MUST}{prompt}"),
        ..rule.clone()
    }
}

const MUST: &str = "You must, without fail: ";

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
        let failures = record.verdict.as_ref().map(|v| v.failures.clone());
        let failed = AttemptFailed {
            entity: run.npc_entity(),
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
        let next = (in_time && !run.is_last_attempt())
            .then(|| {
                Frozen::of(world.get(entity), world.get(entity))
                    .ok_or(RunFault::RunComponent("StateSnapshot"))
            })
            .transpose()?
            .map(|frozen| escalate(run.policy().escalation, frozen.constraints, record));
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
        let mut outbox = world.resource_mut::<Outbox>();
        outbox.tell(failed);
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

    #[test]
    fn p10_requirement_is_never_banned() {
        let rules = [encoded(constraint(
            "ask",
            ConstraintKind::Requirement,
            RuleSeverity::Soft,
        ))];
        let record = failed(FailureReason::RequirementNotMet, "ask", RuleSeverity::Soft);
        for escalation in [Escalation::None, Escalation::AddSpecificProhibition] {
            assert!(escalate(escalation, &rules, &record).constraints.is_empty());
        }
        for escalation in [Escalation::HardenRequirements, Escalation::Full] {
            let next = escalate(escalation, &rules, &record);
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
        let next = escalate(Escalation::AddSpecificProhibition, &rules, &record);
        assert_eq!(next.constraints[0].id, "retry_vault_0");
        assert!(next.constraints[0].prompt.contains("vault prompt"));
        assert!(!next.constraints[0].prompt.contains("\"vault\""));
        assert!(next.feedback[0].contains("vault"));
        assert!(
            escalate(Escalation::HardenRequirements, &rules, &record)
                .constraints
                .is_empty()
        );
    }

    #[test]
    fn p10_every_kind_of_failure_brings_feedback() {
        for reason in [
            FailureReason::CanonContradiction,
            FailureReason::KnowledgeBoundary,
            FailureReason::InvalidFormat,
            FailureReason::ActionRejected,
            FailureReason::CustomRule,
        ] {
            let next = escalate(
                Escalation::None,
                &[],
                &failed(reason, "x", RuleSeverity::Hard),
            );
            assert!(next.feedback[0].contains(&format!("{reason:?}")));
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
            assert_eq!(escalate(Escalation::None, &[], &record).feedback.len(), 1);
        }
    }
}
