//! Judging words: constraints, canon, the knowledge boundary, custom rules (contract rows G3, G4, G5, G8).
//!
//! The same judges look at dialogue, at the content of mutations and at the words inside an intent.

use super::canon::{CanonJudge, Contradiction};
use super::context::GateContext;
use super::custom::CheckedWords;
use super::verdict::{Failure, FailureReason};
use crate::rules::{
    Constraint, ConstraintKind, CustomRule, HiddenTopic, PatternRef, RuleSeverity, Topic,
};
use crate::text::{FoldedText, Span, pattern::Hits};
use std::cell::RefCell;
use std::sync::Arc;

/// A text to judge. It is folded once, and scanned once for each set of patterns, however many rules ask.
pub struct JudgedText {
    folded: FoldedText,
    scans: RefCell<Vec<(usize, Arc<Hits>)>>,
}

impl JudgedText {
    /// Folds the text; scanning waits until a pattern asks.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            folded: FoldedText::new(text),
            scans: RefCell::default(),
        }
    }

    fn hits(&self, pattern: &PatternRef) -> Arc<Hits> {
        let key = Arc::as_ptr(&pattern.set) as usize;
        if let Some((_, hits)) = self.scans.borrow().iter().find(|(known, _)| *known == key) {
            return hits.clone();
        }
        let hits = Arc::new(pattern.set.scan(&self.folded));
        self.scans.borrow_mut().push((key, hits.clone()));
        hits
    }

    /// The first hit of one pattern, in characters of the text.
    #[must_use]
    pub fn find(&self, pattern: &PatternRef) -> Option<Span> {
        self.hits(pattern).first(pattern.id.0 as usize).cloned()
    }

    /// The earliest hit among several patterns, in characters of the text.
    #[must_use]
    pub fn find_any(&self, patterns: &[PatternRef]) -> Option<Span> {
        patterns
            .iter()
            .filter_map(|pattern| self.find(pattern))
            .min_by_key(|span| (span.start, span.end))
    }
}

/// Prohibitions must not hit; of each requirement one pattern must. Rules without patterns are for the prompt only.
#[must_use]
pub fn judge_constraints(constraints: &[Arc<Constraint>], text: &JudgedText) -> Vec<Failure> {
    constraints
        .iter()
        // A restated prohibition has the patterns of the rule that it restates: one failure is enough.
        .filter(|c| !c.patterns.is_empty() && c.restates.is_none())
        .filter_map(|constraint| match constraint.kind {
            ConstraintKind::Permission => None,
            ConstraintKind::Prohibition => text
                .find_any(&constraint.patterns)
                .map(|span| prohibited(constraint, span)),
            ConstraintKind::Requirement => text
                .find_any(&constraint.patterns)
                .is_none()
                .then(|| unmet(constraint)),
        })
        .collect()
}

fn prohibited(constraint: &Constraint, span: Span) -> Failure {
    Failure {
        reason: FailureReason::ProhibitionViolated,
        rule: constraint.id.clone(),
        severity: constraint.severity,
        message: quote(&constraint.description, "prohibited words", &span),
        span: Some(span),
    }
}

fn unmet(constraint: &Constraint) -> Failure {
    let wanted = if constraint.prompt.is_empty() {
        &constraint.id
    } else {
        &constraint.prompt
    };
    Failure {
        reason: FailureReason::RequirementNotMet,
        rule: constraint.id.clone(),
        severity: constraint.severity,
        span: None,
        message: format!("what is required does not stand in the reply: {wanted}"),
    }
}

/// A statement that contradicts canon fails, Critical.
#[must_use]
pub fn judge_canon(canon: &CanonJudge, text: &str) -> Vec<Failure> {
    canon
        .judge(text)
        .into_iter()
        .filter_map(|Contradiction { fact, span, .. }| {
            let fact = canon.facts().get(fact)?;
            Some(Failure {
                reason: FailureReason::CanonContradiction,
                rule: fact.id.clone(),
                severity: RuleSeverity::Critical,
                message: quote(&fact.text, "this contradicts canon", &span),
                span: Some(span),
            })
        })
        .collect()
}

/// Topics that the character must not speak of: always, or since a condition did not hold.
#[must_use]
pub fn judge_knowledge(context: &GateContext, text: &JudgedText) -> Vec<Failure> {
    judge_topics(context.forbidden.iter().chain(context.closed), text)
}

/// Topics that must not be spoken of.
pub(super) fn judge_topics<'t>(
    topics: impl Iterator<Item = &'t Topic>,
    text: &JudgedText,
) -> Vec<Failure> {
    topics
        .filter_map(|topic| {
            let span = text.find(topic)?;
            Some(Failure {
                reason: FailureReason::KnowledgeBoundary,
                rule: topic.source.to_string(),
                severity: RuleSeverity::Hard,
                message: quote("", "the character must not speak of this", &span),
                span: Some(span),
            })
        })
        .collect()
}

/// At commit: topics that the world has closed since the input was frozen. What changed is named for feedback.
#[must_use]
pub fn judge_closed_since(since: &[&HiddenTopic], text: &JudgedText) -> Vec<Failure> {
    since
        .iter()
        .filter_map(|hidden| {
            let span = text.find(&hidden.topic)?;
            let what = match &hidden.until {
                Some(until) => format!("{until:?} does not hold any more"),
                None => "it is closed for good".to_owned(),
            };
            Some(Failure {
                reason: FailureReason::ActionRejected,
                rule: hidden.topic.source.to_string(),
                severity: RuleSeverity::Hard,
                message: format!(
                    "MISSING_REQUIREMENT: the world has changed meanwhile: {what}, so nothing may be said of \"{}\"",
                    span.text
                ),
                span: Some(span),
            })
        })
        .collect()
}

/// Custom rules: one pattern that must not, or must, hit.
#[must_use]
pub fn judge_custom(rules: &[CustomRule], text: &JudgedText) -> Vec<Failure> {
    rules
        .iter()
        .filter_map(|rule| {
            let found = text.find(&rule.pattern);
            if rule.prohibits != found.is_some() {
                return None;
            }
            let message = match &found {
                Some(span) => quote(&rule.description, "prohibited words", span),
                None => format!(
                    "what is required does not stand in the reply: {}",
                    rule.description
                ),
            };
            Some(Failure {
                reason: FailureReason::CustomRule,
                rule: rule.id.clone(),
                severity: rule.severity,
                span: found,
                message,
            })
        })
        .collect()
}

/// Whether [`judge_content`] judges statements that contradict canon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanonCheck {
    /// They are findings: what happened, and what is done, may not contradict canon.
    Judge,
    /// They are left alone: a belief may be wrong, and is marked as such.
    Skip,
}

/// Everything that may not stand in words that are remembered or done: Hard and Critical prohibitions, the
/// knowledge boundary, prohibiting custom rules, custom checks for all words, and contradictions of canon where `canon` says so. Soft findings are
/// left out.
#[must_use]
pub fn judge_content(context: &GateContext, content: &str, canon: CanonCheck) -> Vec<Failure> {
    let text = JudgedText::new(content);
    let mut found = judge_constraints(context.constraints, &text);
    found.retain(|f| f.reason == FailureReason::ProhibitionViolated);
    if canon == CanonCheck::Judge {
        found.extend(judge_canon(context.canon, content));
    }
    found.extend(judge_knowledge(context, &text));
    // A requirement speaks of what is said, not of what is remembered: an unmet one has no span.
    found.extend(
        judge_custom(context.custom, &text)
            .into_iter()
            .filter(|f| f.span.is_some()),
    );
    found.extend(context.checks.judge(
        CheckedWords::Content,
        content,
        &context.interaction,
        context.world,
    ));
    found.retain(|f| f.severity > RuleSeverity::Soft);
    found
}

fn quote(description: &str, otherwise: &str, span: &Span) -> String {
    let what = if description.is_empty() {
        otherwise
    } else {
        description
    };
    let words: String = span.text.chars().take(100).collect();
    format!("{what} (\"{words}\")")
}
