//! Judging words: constraints, canon, the knowledge boundary, custom rules.
//!
//! The same judges look at dialogue, at the content of mutations and at the words inside an intent.

use super::canon::{CanonJudge, Contradiction, Said};
use super::context::GateContext;
use super::custom::CheckedWords;
use super::verdict::{Failure, FailureReason};
use crate::base::canonical::Encoded;
use crate::rules::{
    Constraint, ConstraintKind, CustomRule, HiddenTopic, PatternRef, RuleSeverity, Topic,
};
use crate::text::{FoldedText, LookIn, PatternSet, Readings, Span, excerpt, pattern::HitPlaces};
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

/// A text to judge, in all its readings. Each is folded once, and scanned once for each set of patterns, however
/// many rules ask.
pub struct JudgedText {
    written: String,
    /// Read when the first rule asks: of many texts none does.
    readings: OnceCell<Readings>,
    /// The hits, by reading, for each set of patterns that asked. The set is kept with them, so that it stays the same set.
    scans: RefCell<Vec<(Arc<PatternSet>, usize, HitPlaces)>>,
}

impl JudgedText {
    /// A text to judge. It is read when a rule asks, and scanned when a pattern does.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            written: text.to_owned(),
            readings: OnceCell::new(),
            scans: RefCell::default(),
        }
    }

    /// What a set of patterns has hit in a reading, by the reading's number.
    fn hits<R>(
        &self,
        patterns: &Arc<PatternSet>,
        number: usize,
        reading: &FoldedText,
        look: impl FnOnce(&HitPlaces) -> R,
    ) -> R {
        let mut scans = self.scans.borrow_mut();
        let known = scans
            .iter()
            .find(|(set, read, _)| *read == number && Arc::ptr_eq(set, patterns));
        if let Some((.., hits)) = known {
            return look(hits);
        }
        let hits = patterns.places(reading);
        let found = look(&hits);
        scans.push((patterns.clone(), number, hits));
        found
    }

    /// The text as it is written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The text, read in every way.
    #[must_use]
    pub(crate) fn readings(&self) -> &Readings {
        self.readings.get_or_init(|| Readings::new(&self.written))
    }

    /// The first hit of one pattern, in characters of the text as written: in that text, or else in another reading.
    #[must_use]
    pub(crate) fn find(&self, pattern: &PatternRef, look_in: LookIn) -> Option<Span> {
        let (reading, place) = self.first(pattern, look_in)?;
        Some(Span::of(reading.original(), place.start, place.end))
    }

    /// Whether a pattern hits.
    fn has(&self, pattern: &PatternRef, look_in: LookIn) -> bool {
        self.first(pattern, look_in).is_some()
    }

    /// The first hit of one pattern, and the reading in which it is.
    fn first(&self, pattern: &PatternRef, look_in: LookIn) -> Option<(&FoldedText, Range<usize>)> {
        let mut readings = self.readings().folded(look_in).enumerate();
        readings.find_map(|(number, reading)| {
            let place = self.hits(&pattern.set, number, reading, |hits| {
                hits.of(pattern.id, look_in)
            })?;
            Some((reading, place))
        })
    }

    /// The earliest hit among several patterns, in characters of the text as written, for one rule after the other.
    fn find_among<'p>(
        &self,
        patterns: &'p [PatternRef],
        look_in: LookIn,
        last: &mut LastSet<'p>,
    ) -> Option<Span> {
        let mut found: Option<Span> = None;
        for pattern in patterns {
            if last.has_hit(self, pattern, look_in)
                && let Some(span) = self.find(pattern, look_in)
                && found
                    .as_ref()
                    .is_none_or(|first| (span.start, span.end) < (first.start, first.end))
            {
                found = Some(span);
            }
        }
        found
    }
}

/// What the last set of patterns that was asked has hit. The patterns of a rule are in one set, most rules of a character use
/// the same one, and in most sets hardly any pattern hits at all.
#[derive(Default)]
struct LastSet<'p> {
    asked: Option<(&'p Arc<PatternSet>, LookIn)>,
    /// The numbers of the patterns that have hit any reading, in order.
    hit: Vec<u32>,
    /// A bit for each of these numbers, as far as 64 bits tell them apart: nearly all others are passed over by it.
    bits: u64,
}

impl<'p> LastSet<'p> {
    /// Whether a pattern hits anything in a text.
    #[inline]
    fn has_hit(&mut self, text: &JudgedText, pattern: &'p PatternRef, look_in: LookIn) -> bool {
        match self.asked {
            Some((set, looked_in)) if looked_in == look_in && Arc::ptr_eq(set, &pattern.set) => {}
            _ => self.ask(text, &pattern.set, look_in),
        }
        let number = pattern.id.0;
        self.bits & bit_of(number) != 0 && self.hit.binary_search(&number).is_ok()
    }

    #[inline(never)]
    fn ask(&mut self, text: &JudgedText, set: &'p Arc<PatternSet>, look_in: LookIn) {
        self.asked = Some((set, look_in));
        self.hit.clear();
        for (number, reading) in text.readings().folded(look_in).enumerate() {
            text.hits(set, number, reading, |hits| {
                self.hit.extend(hits.patterns(look_in));
            });
        }
        self.hit.sort_unstable();
        self.hit.dedup();
        self.bits = self
            .hit
            .iter()
            .fold(0, |bits, number| bits | bit_of(*number));
    }
}

fn bit_of(number: u32) -> u64 {
    1 << (number % 64)
}

/// Where to look for what is forbidden.
fn look_in(severity: RuleSeverity) -> LookIn {
    match severity {
        RuleSeverity::Soft => LookIn::Revealed,
        RuleSeverity::Hard | RuleSeverity::Critical => LookIn::Bare,
    }
}

/// Prohibitions must not hit; of each requirement one pattern must. Rules without patterns are for the prompt only.
#[must_use]
pub(crate) fn judge_constraints(
    constraints: &[Arc<Encoded<Constraint>>],
    text: &JudgedText,
) -> Vec<Failure> {
    judge_those(constraints, text, |_| true)
}

/// Judges only the prohibitions among these constraints: what is required may still come.
#[must_use]
pub(crate) fn judge_prohibitions(
    constraints: &[Arc<Encoded<Constraint>>],
    text: &JudgedText,
) -> Vec<Failure> {
    judge_those(constraints, text, |constraint| {
        constraint.kind == ConstraintKind::Prohibition
    })
}

/// The constraints of the kinds that count.
fn judge_those(
    constraints: &[Arc<Encoded<Constraint>>],
    text: &JudgedText,
    counts: impl Fn(&Constraint) -> bool,
) -> Vec<Failure> {
    let mut last = LastSet::default();
    constraints
        .iter()
        // A restated prohibition has the patterns of the rule that it restates: one failure is enough.
        .filter(|c| !c.patterns.is_empty() && c.restates.is_none() && counts(c))
        .filter_map(|constraint| match constraint.kind {
            ConstraintKind::Permission => None,
            ConstraintKind::Prohibition => text
                .find_among(
                    &constraint.patterns,
                    look_in(constraint.severity),
                    &mut last,
                )
                .map(|span| prohibited(constraint, span)),
            ConstraintKind::Requirement => {
                let mut patterns = constraint.patterns.iter();
                let is_met = patterns.any(|pattern| text.has(pattern, LookIn::Written));
                (!is_met).then(|| unmet(constraint))
            }
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

/// A statement that contradicts canon fails, Critical. `speaker`: the name of its speaker, where it has one.
#[must_use]
pub(crate) fn judge_canon(
    canon: &CanonJudge,
    text: &JudgedText,
    said: Said,
    speaker: Option<&str>,
) -> Vec<Failure> {
    canon
        .judge_words_of(text.readings(), said, speaker)
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
pub(crate) fn judge_knowledge(context: &GateContext, text: &JudgedText) -> Vec<Failure> {
    judge_topics(context.forbidden.iter().chain(context.closed), text)
}

/// Topics that must not be spoken of.
pub(super) fn judge_topics<'t>(
    topics: impl Iterator<Item = &'t Topic>,
    text: &JudgedText,
) -> Vec<Failure> {
    topics
        .filter_map(|topic| {
            let span = text.find(topic, LookIn::Bare)?;
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

/// At commit: topics that the world has closed since the input was frozen. What changed is named for feedback. Unlike
/// other rejected actions these have a span.
#[must_use]
pub fn judge_closed_since(since: &[&HiddenTopic], text: &JudgedText) -> Vec<Failure> {
    since
        .iter()
        .filter_map(|hidden| {
            let span = text.find(&hidden.topic, LookIn::Bare)?;
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
                    excerpt(&span.text)
                ),
                span: Some(span),
            })
        })
        .collect()
}

/// Custom rules: one pattern that must not, or must, hit.
#[must_use]
pub(crate) fn judge_custom(rules: &[CustomRule], text: &JudgedText) -> Vec<Failure> {
    rules
        .iter()
        .filter_map(|rule| {
            let look_in = match rule.prohibits {
                true => look_in(rule.severity),
                false => LookIn::Written,
            };
            let found = text.find(&rule.pattern, look_in);
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
    /// They are findings, of words that are said or done now.
    Aloud,
    /// They are findings, of what is remembered as having happened.
    InMemory,
    /// They are left alone: a belief may be wrong, and is marked as such.
    Skip,
}

/// The rules that words to be remembered or done must not break: Hard and Critical prohibitions, the knowledge boundary,
/// prohibiting custom rules, custom checks for all words, and contradictions of canon where `canon` says so. Soft findings are
/// left out.
#[must_use]
pub(crate) fn judge_content(
    context: &GateContext,
    content: &str,
    canon: CanonCheck,
) -> Vec<Failure> {
    let text = JudgedText::new(content);
    let mut found = judge_those(context.constraints, &text, |constraint| {
        constraint.kind == ConstraintKind::Prohibition && constraint.severity > RuleSeverity::Soft
    });
    match canon {
        CanonCheck::Aloud => found.extend(by_canon(context, &text, Said::Aloud)),
        CanonCheck::InMemory => found.extend(by_canon(context, &text, Said::InMemory)),
        CanonCheck::Skip => {}
    }
    found.extend(judge_knowledge(context, &text));
    // A requirement applies to spoken words, not to remembered ones: an unmet one has no span.
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

pub(super) fn by_canon(context: &GateContext, text: &JudgedText, said: Said) -> Vec<Failure> {
    judge_canon(context.canon, text, said, context.speaker().as_deref())
}

fn quote(description: &str, otherwise: &str, span: &Span) -> String {
    let what = if description.is_empty() {
        otherwise
    } else {
        description
    };
    format!("{what} (\"{}\")", excerpt(&span.text))
}
