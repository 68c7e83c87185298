//! A verdict that changes, and the rules that it changes by.

use crate::base::ids::Id;
use crate::gate::FailureReason;
use crate::journal::record::RecordKind;
use crate::rules::RuleSeverity;
use serde::Serialize;
use std::fmt;

/// What a verdict comes to: whether it passed, and which rules failed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SecondVerdict {
    /// Whether the reply passed; of a turn, whether all of its actions were done.
    pub passed: bool,
    /// The rules that failed it, each once, in the order of the judges.
    pub failures: Vec<String>,
}

/// What part of a reply or turn a rule decided of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum Part {
    /// The words of the reply, or the reply as a whole.
    Reply,
    /// A memory, which is refused alone: the reply may pass all the same.
    Memory,
    /// An action, which fails the reply or the turn when it is refused.
    Action,
}

/// How a finding differs between the two verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum FindingChange {
    /// The changed rules find it, and the recorded verdict does not have it.
    Appeared,
    /// The recorded verdict has it, and the changed rules do not find it.
    Vanished,
}

/// A rule that a verdict has changed by. A rule that finds the same with another weight has vanished and appeared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ChangedRule {
    /// Its id: an authored one, that of a rulebook's check, or a built-in name.
    pub rule: String,
    /// What kind of finding it is.
    pub reason: FailureReason,
    /// How much it weighs; Soft for a memory, which never fails a reply.
    pub severity: RuleSeverity,
    /// The part of the reply or turn in which it was found.
    pub part: Part,
    /// What it says, by the rules that it was found by.
    pub message: String,
    /// Whether it was found only now, or only before.
    pub change: FindingChange,
}

/// A verdict that is another one under the changed rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ChangedVerdict {
    /// The number of the record of the run or turn, from 1.
    pub seq: u64,
    /// The kind of its record: an interaction, a turn, a turn of an adventure or a plan.
    pub kind: RecordKind,
    /// The id of the speaker or actor.
    pub npc: Id,
    /// Which attempt of the run, from 0; of a turn of an adventure as in `ReplyKey`. Always 0 of a turn, of actions
    /// that were intended in a turn of an adventure, and of a plan.
    pub attempt: u32,
    /// The spoken words, cut to 200 characters; empty when the reply could not be read. Of a turn, the words, or the names of
    /// the actions.
    pub line: String,
    /// The verdict as it was recorded.
    pub before: SecondVerdict,
    /// The verdict by the changed rules.
    pub after: SecondVerdict,
    /// The rules that the two differ in; there is always one.
    pub responsible: Vec<ChangedRule>,
}

impl fmt::Display for ChangedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = |opinion: &SecondVerdict| if opinion.passed { "passed" } else { "failed" };
        write!(f, "record {} ({}", self.seq, self.npc)?;
        match self.kind {
            RecordKind::Turn => write!(f, ", turn")?,
            RecordKind::AdventureTurn => {
                let of_actions = self.responsible.iter().all(|one| one.part == Part::Action);
                match of_actions {
                    true => write!(f, ", turn of an adventure, actions")?,
                    false => write!(f, ", turn of an adventure, reply {}", self.attempt)?,
                }
            }
            _ => write!(f, ", attempt {}", self.attempt)?,
        }
        write!(
            f,
            "): {} before, {} now:",
            verdict(&self.before),
            verdict(&self.after)
        )?;
        for (i, found) in self.responsible.iter().enumerate() {
            let how = match found.change {
                FindingChange::Appeared => "now",
                FindingChange::Vanished => "no longer",
            };
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma} {how} {:?} {}", found.reason, found.rule)?;
        }
        // A separate line in the report, whatever the reply contains.
        write!(f, ": \"{}\"", self.line.escape_debug())
    }
}
