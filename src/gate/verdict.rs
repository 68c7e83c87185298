//! Verdicts: what the gate found, and why.

use super::approved::Approvals;
use crate::judged_world::JudgedAction;
use crate::proposal::{InvalidFormat, InvalidKind, ParseWarning};
use crate::rules::RuleSeverity;
use crate::text::Span;
use bevy::prelude::{Component, Reflect};
use serde::Serialize;

/// What kind of rule was broken, as verdicts, traces and records name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum FailureReason {
    /// The text contains a prohibited pattern.
    ProhibitionViolated,
    /// The text contains no pattern of a requirement.
    RequirementNotMet,
    /// The text contradicts a fact of canon.
    CanonContradiction,
    /// The character must not know or say this.
    KnowledgeBoundary,
    /// A mutation aims at canon.
    CanonMutation,
    /// A mutation aims at a world fact, which only the game may write.
    AuthorityViolation,
    /// The reply cannot be read; as a warning: a part of it was ignored.
    InvalidFormat,
    /// An action that is not known, not allowed, or denied by the rulebook.
    ActionRejected,
    /// A custom rule or check failed, or could not judge.
    CustomRule,
    /// A plan that cannot be carried out.
    PlanRejected,
    /// A narrator gives words to a character that may not speak, or to a persona.
    VoiceRefused,
    /// A narrator tells that something happened which the rulebook has denied.
    VerdictContradicted,
    /// A character repeats what it has just said.
    Repetition,
    /// A line is in another language than that of its character.
    WrongLanguage,
}

/// One finding of the gate. The gate writes it; traces, the journal and feedback show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Reflect)]
#[reflect(opaque, from_reflect = false)]
pub struct Failure {
    /// What kind of rule was broken.
    pub reason: FailureReason,
    /// The rule that decided: an authored id, or a built-in name, such as `canon` or `repetition`.
    pub rule: String,
    /// Soft is only reported, Hard fails the attempt, Critical ends the run.
    pub severity: RuleSeverity,
    /// The offending words, in characters of the dialogue; `None` where no words can be named.
    pub span: Option<Span>,
    /// One sentence for people, and for the feedback of the next attempt; it quotes the offending words.
    pub message: String,
}

impl Failure {
    /// A change of memory that was rejected, where nothing but that was asked for.
    pub(super) fn of_rejected(rejected: &RejectedMutation) -> Self {
        Self {
            reason: match rejected.reason {
                Rejection::Gate(reason) => reason,
                _ => FailureReason::InvalidFormat,
            },
            rule: rejected.rule.clone(),
            severity: RuleSeverity::Hard,
            span: rejected.span.clone(),
            message: rejected.message.clone(),
        }
    }

    pub(super) fn invalid_format(error: &InvalidFormat) -> Self {
        Self {
            reason: FailureReason::InvalidFormat,
            rule: error.kind.rule().to_owned(),
            severity: RuleSeverity::Hard,
            span: None,
            message: error.to_string(),
        }
    }

    /// Words that were read, but that no one could hear as speech.
    pub(super) fn unreadable(message: &str) -> Self {
        Self::invalid_format(&InvalidFormat::new(InvalidKind::NoSpeech, message))
    }

    pub(super) fn parse_warning(warning: &ParseWarning) -> Self {
        Self {
            reason: FailureReason::InvalidFormat,
            rule: warning.rule.to_owned(),
            severity: RuleSeverity::Soft,
            span: None,
            message: warning.message.clone(),
        }
    }
}

/// Why a mutation was rejected. The rest of the reply may still count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rejection {
    /// Its type is unknown, or a part of it is missing or wrong.
    Malformed,
    /// It is the same as an earlier one of this reply.
    Duplicate,
    /// It comes after the fourth that could count.
    Quota,
    /// Its target or its content breaks a rule.
    Gate(FailureReason),
}

impl Rejection {
    /// The rule that decides where no authored one does.
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Duplicate => "duplicate",
            Self::Quota => "quota",
            Self::Gate(_) => "gate",
        }
    }
}

impl Serialize for Rejection {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Malformed => serializer.serialize_str("Malformed"),
            Self::Duplicate => serializer.serialize_str("Duplicate"),
            Self::Quota => serializer.serialize_str("Quota"),
            Self::Gate(reason) => reason.serialize(serializer),
        }
    }
}

/// A mutation that was rejected. The reply may still count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RejectedMutation {
    /// Its type, as the reply spells it.
    #[serde(rename = "type")]
    pub kind: String,
    /// Why it was rejected. `RejectedMutation::message` says it in words.
    pub reason: Rejection,
    /// The rule that decided: an authored id, or the name of the reason. Not written to traces.
    #[serde(skip)]
    pub rule: String,
    /// One sentence for people and for feedback.
    pub message: String,
    /// The offending words, in characters of its content; `None` where no words can be named.
    pub span: Option<Span>,
}

/// An intent that was rejected, which fails the attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RejectedIntent {
    /// Its type, as the reply spells it.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rule of the rulebook, or the built-in check, that decided.
    pub rule: String,
    /// One sentence for people and for feedback, with what has changed since the snapshot.
    pub message: String,
}

/// The gate's answer to one reply: a component of the run, replaced with each attempt. The gate writes it; the commit
/// turns it into a failure when the world has changed meanwhile.
///
/// Opaque to reflection: code cannot build one from outside data.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[component(storage = "SparseSet")]
pub struct Verdict {
    /// True when nothing of Hard or Critical severity was found.
    pub passed: bool,
    /// Hard and Critical findings, in the order of the judges.
    pub failures: Vec<Failure>,
    /// Soft findings, in the order of the judges. They never block.
    pub warnings: Vec<Failure>,
    /// Mutations that were rejected, while the reply may have passed, in the order of the reply.
    pub(crate) rejected_mutations: Vec<RejectedMutation>,
    /// Intents that were rejected, in the order of the reply.
    pub(crate) rejected_intents: Vec<RejectedIntent>,
    /// Intents that could be read as actions, in the order of the reply, each with the rulebook's answer.
    #[serde(rename = "deeds")]
    pub actions: Vec<JudgedAction>,
}

impl Verdict {
    pub(super) fn add(&mut self, failure: Failure) {
        if failure.severity == RuleSeverity::Soft {
            self.warnings.push(failure);
        } else {
            self.failures.push(failure);
        }
    }

    pub(super) fn add_all(&mut self, failures: Vec<Failure>) {
        for failure in failures {
            self.add(failure);
        }
    }

    /// The verdict of a stage: whether it passed, and the reply where it did.
    pub(super) fn close_stage<T>(mut self, reply: T) -> (Self, Option<T>) {
        self.passed = self.failures.is_empty();
        let approved = self.passed.then_some(reply);
        (self, approved)
    }

    /// The verdict on a reply that cannot be read.
    pub(crate) fn unreadable(error: &InvalidFormat) -> Self {
        let mut verdict = Self::default();
        verdict.add(Failure::invalid_format(error));
        verdict
    }

    /// The verdict where there was nothing to judge.
    pub(crate) fn of_nothing() -> Self {
        Self {
            passed: true,
            ..Self::default()
        }
    }

    /// The verdict of a stage whose reply could not be read.
    pub(super) fn close_stage_failed<T>(self) -> (Self, Option<T>) {
        (self, None)
    }

    /// A failed verdict approves nothing.
    pub(super) fn close(mut self, approvals: Approvals) -> (Self, Approvals) {
        self.passed = self.failures.is_empty();
        let approvals = if self.passed {
            approvals
        } else {
            Approvals::default()
        };
        (self, approvals)
    }

    /// The parts of the reply that were rejected by themselves, memories first: the rule that decided, and why, in one sentence.
    pub fn rejected(&self) -> impl Iterator<Item = (&str, &str)> {
        let memories = self.rejected_mutations.iter();
        let intents = self.rejected_intents.iter();
        memories
            .map(|one| (&*one.rule, &*one.message))
            .chain(intents.map(|one| (&*one.rule, &*one.message)))
    }

    /// Whether a finding is Critical, so that the run ends at once, without another attempt.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        self.failures
            .iter()
            .any(|f| f.severity == RuleSeverity::Critical)
    }
}
