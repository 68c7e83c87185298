//! The policy of runs, as a scenario or the file of a character writes it.

use crate::base::fixed::Millis;
use crate::format::Problem;
use crate::policy::{Escalation, RunPolicy};
use serde::Deserialize;

/// The most attempts that a custom policy may have.
const MAX_ATTEMPTS: u32 = 100;

/// How many attempts dialogue runs make, and what happens when none passes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
pub enum PolicySpec {
    /// Three attempts with escalation, then an authored fallback line.
    #[default]
    Dialogue,
    /// One call, no retry, no fallback.
    Sealed,
    /// A policy that the author writes field by field.
    Custom(CustomPolicySpec),
}

/// A policy that an author writes. What is left out has the default of
/// [`RunPolicy::DIALOGUE`](crate::pipeline::RunPolicy::DIALOGUE).
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename = "CustomPolicy", deny_unknown_fields, default)]
pub struct CustomPolicySpec {
    /// How many attempts a run makes at most: 1 to 100.
    pub max_attempts: u32,
    /// What a retry adds to the constraints of the attempt before it.
    pub escalation: Escalation,
    /// How long a run may take, in seconds of call time: 0 to 10^12.
    pub deadline_seconds: f64,
    /// Whether an authored line is spoken when no attempt passed. Without it the run ends as Failed.
    pub fallback: bool,
}

impl Default for CustomPolicySpec {
    fn default() -> Self {
        Self {
            max_attempts: 3,
            escalation: Escalation::default(),
            deadline_seconds: 30.0,
            fallback: true,
        }
    }
}

impl PolicySpec {
    /// The policy, checked.
    ///
    /// # Errors
    /// Every number outside its range, with its place below `/policy`.
    pub fn compile(self) -> Result<RunPolicy, Vec<Problem>> {
        let custom = match self {
            Self::Dialogue => return Ok(RunPolicy::DIALOGUE),
            Self::Sealed => return Ok(RunPolicy::SEALED),
            Self::Custom(custom) => custom,
        };
        let mut problems = Vec::new();
        if !(1..=MAX_ATTEMPTS).contains(&custom.max_attempts) {
            let message = format!("max_attempts must be between 1 and {MAX_ATTEMPTS}");
            problems.push(Problem::new("/policy/max_attempts", message));
        }
        let deadline = Millis::from_seconds(custom.deadline_seconds);
        let deadline = deadline.filter(|deadline| deadline.0 >= 0);
        if deadline.is_none() {
            problems.push(Problem::new(
                "/policy/deadline_seconds",
                "a deadline must be a number of seconds between 0 and 10^12",
            ));
        }
        match (deadline, problems.is_empty()) {
            (Some(deadline), true) => Ok(RunPolicy {
                max_attempts: custom.max_attempts,
                escalation: custom.escalation,
                deadline: deadline.into(),
                fallback: custom.fallback,
                ..RunPolicy::DIALOGUE
            }),
            _ => Err(problems),
        }
    }
}
