//! Verdicts: what the gate found, and why (contract row G9).

use super::approved::Approvals;
use crate::proposal::{InvalidFormat, ParseWarning};
use crate::rules::RuleSeverity;
use crate::text::Span;
use crate::world::JudgedAction;
use bevy::prelude::Component;
use serde::Serialize;

/// Why something failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum FailureReason {
    /// A prohibited pattern stands in the text.
    ProhibitionViolated,
    /// No pattern of a requirement stands in the text.
    RequirementNotMet,
    /// The text contradicts canon.
    CanonContradiction,
    /// The character must not know or say this.
    KnowledgeBoundary,
    /// A mutation aims at canon.
    CanonMutation,
    /// A mutation aims at what only the game may write.
    AuthorityViolation,
    /// The reply cannot be read.
    InvalidFormat,
    /// An action that cannot be.
    ActionRejected,
    /// A custom rule failed, or failed to judge.
    CustomRule,
    /// A plan that cannot be.
    PlanRejected,
}

/// One finding of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What kind of finding it is.
    pub reason: FailureReason,
    /// The rule that decided: an authored id, or one of the built-in names of SCENARIO.md.
    pub rule: String,
    /// How much it weighs.
    pub severity: RuleSeverity,
    /// Where in the text, in characters.
    pub span: Option<Span>,
    /// For people and for feedback; it quotes the span.
    pub message: String,
}

impl Failure {
    pub(super) fn invalid_format(error: &InvalidFormat) -> Self {
        Self {
            reason: FailureReason::InvalidFormat,
            rule: error.kind.rule().to_owned(),
            severity: RuleSeverity::Hard,
            span: None,
            message: error.to_string(),
        }
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

/// Why a mutation was rejected alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rejection {
    /// Unknown type, missing or wrong parts.
    Malformed,
    /// The same as an earlier one of this reply.
    Duplicate,
    /// After the fourth.
    Quota,
    /// The gate's reason.
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

/// A mutation that was rejected, while the reply may stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectedMutation {
    /// Its type, as written.
    #[serde(rename = "type")]
    pub kind: String,
    /// Why.
    pub reason: Rejection,
    /// The rule that decided: an authored id, or the name of the reason. No trace shows it.
    #[serde(skip)]
    pub rule: String,
    /// For people.
    pub message: String,
    /// Where in its content.
    pub span: Option<Span>,
}

/// An intent that was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectedIntent {
    /// Its type, as written.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rule that decided.
    pub rule: String,
    /// For people.
    pub message: String,
}

/// The gate's answer. Opaque to reflection: nobody builds one from outside data.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether nothing of Hard or Critical severity was found.
    pub passed: bool,
    /// Hard and Critical findings, in the order of the judges.
    pub failures: Vec<Failure>,
    /// Soft findings: they never block.
    pub warnings: Vec<Failure>,
    /// Mutations that were rejected alone.
    pub rejected_mutations: Vec<RejectedMutation>,
    /// Intents that were rejected.
    pub rejected_intents: Vec<RejectedIntent>,
    /// Intents that could be normalised, in order, each with the rulebook's answer.
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

    /// Whether the run must end at once.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        self.failures
            .iter()
            .any(|f| f.severity == RuleSeverity::Critical)
    }
}
