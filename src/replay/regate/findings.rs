//! What two verdicts differ in.

use super::verdict::{ChangedRule, ChangedVerdict, FindingChange, Part, SecondVerdict};
use crate::base::ids::Id;
use crate::gate::{Failure, FailureReason, RejectedMutation, Rejection, Verdict};
use crate::journal::record::RecordKind;
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction};
use crate::rules::RuleSeverity;
use crate::world::{ReasonCode, TurnRecord};
use std::collections::BTreeSet;

/// The longest line that a report shows, in characters.
const MAX_LINE: usize = 200;

/// What tells one finding from another: the message is not of it, and one rule fails the words of a reply once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    part: Part,
    /// The type of the memory or action.
    kind: String,
    /// Which of the actions of a turn, or which of the memories or actions of a reply that are alike.
    nth: usize,
    reason: FailureReason,
    rule: String,
    severity: RuleSeverity,
    /// What the rulebook answered.
    code: Option<ReasonCode>,
}

/// All that an opinion finds wrong, in order, with what it says.
pub(super) struct Findings {
    passed: bool,
    found: Vec<(Key, String)>,
}

impl Findings {
    /// What a verdict found. Soft findings are not among them: they decide nothing.
    pub(super) fn of_reply(verdict: &Verdict) -> Self {
        let mut findings = Self {
            passed: verdict.passed,
            found: Vec::new(),
        };
        for action in verdict
            .actions
            .iter()
            .filter(|action| !action.judgement.is_ok())
        {
            let rule = action.judgement.rule.clone().unwrap_or_default();
            let message = action.judgement.message.clone();
            let code = Some(action.judgement.result);
            findings.add_action(action.intent.kind(), rule, code, message);
        }
        for intent in &verdict.rejected_intents {
            // Those that the rulebook denied are there already.
            if !findings.has_action(|key| key.kind == intent.kind && key.rule == intent.rule) {
                let (rule, message) = (intent.rule.clone(), intent.message.clone());
                findings.add_action(&intent.kind, rule, None, message);
            }
        }
        for failure in &verdict.failures {
            let of_an_action = failure.reason == FailureReason::ActionRejected
                && findings.has_action(|key| key.rule == failure.rule);
            if !of_an_action {
                findings.add_words(failure);
            }
        }
        for memory in &verdict.rejected_mutations {
            findings.add_memory(memory);
        }
        findings
    }

    /// The parts of a turn that were not done.
    pub(super) fn of_turn(record: &TurnRecord) -> Self {
        Self::of_actions(&record.rejected, &record.actions)
    }

    /// The wanted actions that were not done. Unreadable actions and judged actions are in two lists, each in the order in which
    /// the actor wants them.
    pub(super) fn of_actions(rejected: &[RejectedAction], judged: &[JudgedAction]) -> Self {
        let mut findings = Self {
            passed: true,
            found: Vec::new(),
        };
        let count = rejected.len() + judged.len();
        let mut rejected = rejected.iter().peekable();
        let mut judged = judged.iter();
        for nth in 0..count {
            let (kind, code, rule, message) = match rejected.next_if(|action| action.index == nth) {
                Some(action) => (&*action.kind, action.result, action.rule, &action.message),
                None => match judged.next() {
                    Some(action) if !action.judgement.is_ok() => {
                        let judgement = &action.judgement;
                        let rule = judgement.rule.as_deref().unwrap_or_default();
                        (
                            action.intent.kind(),
                            judgement.result,
                            rule,
                            &judgement.message,
                        )
                    }
                    _ => continue,
                },
            };
            findings.passed = false;
            let key = Key {
                nth,
                ..action_key(kind, rule.to_owned(), Some(code))
            };
            findings.found.push((key, described(code, rule, message)));
        }
        findings
    }

    fn add_action(&mut self, kind: &str, rule: String, code: Option<ReasonCode>, message: String) {
        let message = match code {
            Some(code) => described(code, &rule, &message),
            None => message,
        };
        self.add_counted(action_key(kind, rule, code), message);
    }

    fn add_words(&mut self, failure: &Failure) {
        let key = Key {
            part: Part::Reply,
            kind: String::new(),
            nth: 0,
            reason: failure.reason,
            rule: failure.rule.clone(),
            severity: failure.severity,
            code: None,
        };
        self.found.push((key, failure.message.clone()));
    }

    fn add_memory(&mut self, memory: &RejectedMutation) {
        let reason = match memory.reason {
            Rejection::Gate(reason) => reason,
            Rejection::Malformed | Rejection::Duplicate | Rejection::Quota => {
                FailureReason::InvalidFormat
            }
        };
        let key = Key {
            part: Part::Memory,
            kind: memory.kind.clone(),
            nth: 0,
            reason,
            rule: memory.rule.clone(),
            severity: RuleSeverity::Soft,
            code: None,
        };
        self.add_counted(key, memory.message.clone());
    }

    /// Each memory and each action is one more, even if one rule refuses two that are alike.
    fn add_counted(&mut self, mut key: Key, message: String) {
        while self.found.iter().any(|(known, _)| *known == key) {
            key.nth += 1;
        }
        self.found.push((key, message));
    }

    fn has_action(&self, like: impl Fn(&Key) -> bool) -> bool {
        let mut found = self.found.iter();
        found.any(|(key, _)| key.part == Part::Action && like(key))
    }

    /// In short.
    fn summary(&self) -> SecondVerdict {
        let mut failures: Vec<String> = Vec::new();
        let failed = self
            .found
            .iter()
            .filter(|(key, _)| key.part != Part::Memory);
        for (key, _) in failed {
            if !failures.contains(&key.rule) {
                failures.push(key.rule.clone());
            }
        }
        SecondVerdict {
            passed: self.passed,
            failures,
        }
    }

    /// The findings here and not there. One rule may hit the words of a reply in several places: it is reported once.
    fn beyond<'a>(
        &'a self,
        there: &'a Self,
        change: FindingChange,
    ) -> impl Iterator<Item = ChangedRule> + 'a {
        let mut known: BTreeSet<&Key> = there.found.iter().map(|(key, _)| key).collect();
        let new = self.found.iter().filter(move |(key, _)| known.insert(key));
        new.map(move |(key, message)| ChangedRule {
            rule: key.rule.clone(),
            reason: key.reason,
            severity: key.severity,
            part: key.part,
            message: message.clone(),
            change,
        })
    }
}

/// What a verdict is on: a run's attempt, or a turn.
pub(super) struct Judged<'a> {
    /// The number of the record.
    pub seq: u64,
    pub kind: RecordKind,
    /// The speaker or actor.
    pub npc: &'a Id,
    pub attempt: u32,
    /// The spoken or requested words.
    pub line: &'a str,
}

/// The changed verdict on what was judged, if there is one.
pub(super) fn compare([before, after]: [Findings; 2], judged: &Judged) -> Option<ChangedVerdict> {
    let appeared = after.beyond(&before, FindingChange::Appeared);
    let vanished = before.beyond(&after, FindingChange::Vanished);
    let responsible: Vec<ChangedRule> = appeared.chain(vanished).collect();
    (!responsible.is_empty()).then(|| ChangedVerdict {
        seq: judged.seq,
        kind: judged.kind,
        npc: judged.npc.clone(),
        attempt: judged.attempt,
        line: judged.line.chars().take(MAX_LINE).collect(),
        before: before.summary(),
        after: after.summary(),
        responsible,
    })
}

fn action_key(kind: &str, rule: String, code: Option<ReasonCode>) -> Key {
    Key {
        part: Part::Action,
        kind: kind.to_owned(),
        nth: 0,
        reason: FailureReason::ActionRejected,
        rule,
        severity: RuleSeverity::Hard,
        code,
    }
}

fn described(code: ReasonCode, rule: &str, message: &str) -> String {
    format!("{code} ({rule}): {message}")
}
