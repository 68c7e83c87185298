//! The decision, ruleset `M2_RULESET_V1`: it turns proposal bytes into ACCEPT or REJECT, and nothing else influences it.
//!
//! It has no score, no ranking and no second look: the first matching row of the table decides.

use super::order::{self, NoStep, Transition};
use super::proposal_set::{self, Proposal, Route};

pub const RULESET: &str = "M2_RULESET_V1";
pub const MAX_VALIDATOR_ERRORS: usize = 16;

/// The only route that is ever accepted, letter by letter.
pub const ENVELOPE: Route = Route {
    intent: "STATUS_QUERY",
    target: "alpha",
    mode: None,
};

/// A decision and its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub decision: Decision,
    pub proposal_count: usize,
    /// The first [`MAX_VALIDATOR_ERRORS`] codes of the schema.
    pub validator_errors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Accept(Payload),
    Reject { reason: Reason, notes: Vec<String> },
}

impl Decision {
    /// The word for it in artifacts and on the terminal.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Accept(_) => "ACCEPT",
            Self::Reject { .. } => "REJECT",
        }
    }
}

/// The accepted payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    Route(Route),
    Transition(Transition),
}

/// Why a run ends in REJECT. A closed set: an envelope mismatch is a note, not a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    InvalidProposals,
    NoProposals,
    AmbiguousProposals,
    InvalidEventToken,
    IllegalTransition,
    InvalidCurrentState,
}

impl Reason {
    pub const ALL: [Self; 6] = [
        Self::InvalidProposals,
        Self::NoProposals,
        Self::AmbiguousProposals,
        Self::InvalidEventToken,
        Self::IllegalTransition,
        Self::InvalidCurrentState,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidProposals => "INVALID_PROPOSALS",
            Self::NoProposals => "NO_PROPOSALS",
            Self::AmbiguousProposals => "AMBIGUOUS_PROPOSALS",
            Self::InvalidEventToken => "INVALID_EVENT_TOKEN",
            Self::IllegalTransition => "ILLEGAL_TRANSITION",
            Self::InvalidCurrentState => "INVALID_CURRENT_STATE",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl From<NoStep> for Reason {
    fn from(no_step: NoStep) -> Self {
        match no_step {
            NoStep::InvalidEventToken => Self::InvalidEventToken,
            NoStep::InvalidCurrentState => Self::InvalidCurrentState,
            NoStep::IllegalTransition => Self::IllegalTransition,
        }
    }
}

/// Decides. The same bytes always get the same decision.
pub fn decide(proposal_bytes: &[u8]) -> Judgement {
    let proposals = match proposal_set::read(proposal_bytes) {
        Ok(proposals) => proposals,
        Err(mut invalid) => {
            invalid.errors.truncate(MAX_VALIDATOR_ERRORS);
            return Judgement {
                decision: reject(Reason::InvalidProposals, None),
                proposal_count: invalid.proposal_count,
                validator_errors: invalid.errors,
            };
        }
    };
    let decision = match proposals.as_slice() {
        [] => reject(Reason::NoProposals, None),
        [Proposal::Transition { event_token }] => decide_transition(event_token),
        [Proposal::Route(route)] if *route == ENVELOPE => Decision::Accept(Payload::Route(*route)),
        [Proposal::Route(_)] => reject(
            Reason::InvalidProposals,
            Some("L3_ENVELOPE_MISMATCH".into()),
        ),
        // Two equal proposals are still two: code that merges them would repair the set.
        several => reject(
            Reason::AmbiguousProposals,
            Some(format!("PROPOSAL_COUNT:{}", several.len())),
        ),
    };
    Judgement {
        decision,
        proposal_count: proposals.len(),
        validator_errors: Vec::new(),
    }
}

fn decide_transition(event_token: &str) -> Decision {
    match order::attempt(order::START.token(), event_token) {
        Ok(transition) => Decision::Accept(Payload::Transition(transition)),
        Err(no_step) => {
            let reason = Reason::from(no_step);
            reject(reason, Some(format!("L4_REJECT:{}", reason.code())))
        }
    }
}

fn reject(reason: Reason, note: Option<String>) -> Decision {
    Decision::Reject {
        reason,
        notes: note.into_iter().collect(),
    }
}
