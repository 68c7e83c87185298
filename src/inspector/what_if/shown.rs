//! What came out, in words.

use super::judged_record::JudgedRecord;
use crate::gate::Verdict;
use crate::journal::RecordKind;
use crate::replay::regate::ChangedVerdict;
use crate::replay::regate::RegateReport;

/// A verdict in a few words: `passed`, or `failed by` and the rules, each once, in the order of the judges. The rules that
/// refused memories come after it.
#[must_use]
pub fn verdict_words(verdict: &Verdict) -> String {
    let failed = each_once(verdict.failures.iter().map(|failure| &*failure.rule));
    let refused = each_once(
        verdict
            .rejected_mutations
            .iter()
            .map(|memory| &*memory.rule),
    );
    let mut words = match verdict.passed {
        true => "passed".to_owned(),
        false => format!("failed by {}", failed.join(", ")),
    };
    if !refused.is_empty() {
        words.push_str("; memory refused by ");
        words.push_str(&refused.join(", "));
    }
    words
}

fn each_once<'a>(rules: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut once = Vec::new();
    for rule in rules {
        if !once.contains(&rule) {
            once.push(rule);
        }
    }
    once
}

/// The verdicts of other records that change, in order, and how many more there are that were not kept.
#[must_use]
pub(crate) fn other_changes(report: &RegateReport, seq: u64) -> (Vec<&ChangedVerdict>, u64) {
    let changed = report.changed.iter();
    let others = changed.filter(|changed| changed.seq != seq).collect();
    (others, report.left_out)
}

/// Why the verdicts on this record may be wrong or missing, each in a sentence. Empty: they can be trusted.
#[must_use]
pub(crate) fn doubts(report: &RegateReport, judged: &JudgedRecord) -> Vec<String> {
    let mut doubts = Vec::new();
    let seq = judged.seq;
    let replay = &report.replay;
    let differs = replay.divergences.iter().map(|found| found.seq);
    if let Some(first) = differs.chain(replay.stopped).min() {
        doubts.push(format!(
            "The recording does not replay from record {first} on: verdicts from there on cannot be trusted."
        ));
    }
    if replay.skipped.contains(&seq) {
        let why = match judged.kind {
            RecordKind::AdventureTurn => {
                "The turn was interrupted, or something else happened during it: it cannot be judged again."
            }
            _ => "The run began before the recording: it cannot be judged again.",
        };
        // That says it all.
        doubts.push(why.to_owned());
        return doubts;
    }
    for npc in &report.unused {
        doubts.push(format!("Nothing of {npc} was judged again."));
    }
    for attempt in &judged.attempts {
        if report.unused_replies.contains(&attempt.key) {
            doubts.push(format!("This was not judged: {}.", attempt.title));
        }
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::Id;
    use crate::gate::{Failure, FailureReason};
    use crate::inspector::what_if::judged_record::RecordedAttempt;
    use crate::replay::ReplayReport;
    use crate::replay::regate::{ReplyKey, SecondVerdict};
    use crate::rules::RuleSeverity;

    fn failure(rule: &str) -> Failure {
        Failure {
            reason: FailureReason::ProhibitionViolated,
            rule: rule.to_owned(),
            severity: RuleSeverity::Hard,
            span: None,
            message: String::new(),
        }
    }

    #[test]
    fn i3_a_verdict_names_each_rule_once() {
        let passed = Verdict {
            passed: true,
            ..Verdict::default()
        };
        assert_eq!(verdict_words(&passed), "passed");
        let failed = Verdict {
            failures: vec![failure("a"), failure("b"), failure("a")],
            ..Verdict::default()
        };
        assert_eq!(verdict_words(&failed), "failed by a, b");
    }

    fn changed(seq: u64) -> ChangedVerdict {
        ChangedVerdict {
            seq,
            kind: RecordKind::Interaction,
            npc: Id::new("keeper").unwrap(),
            attempt: 0,
            line: String::new(),
            before: SecondVerdict::default(),
            after: SecondVerdict::default(),
            responsible: Vec::new(),
        }
    }

    #[test]
    fn i3_changes_of_other_runs_are_counted_apart() {
        let report = RegateReport {
            changed: vec![changed(2), changed(3), changed(3)],
            left_out: 4,
            ..RegateReport::default()
        };
        let (others, more) = other_changes(&report, 3);
        assert_eq!((others.len(), others[0].seq, more), (1, 2, 4));
    }

    #[test]
    fn i3_doubts_are_told() {
        let key = |seq| ReplyKey { seq, attempt: 1 };
        let attempt = RecordedAttempt {
            key: key(2),
            title: "attempt 1".to_owned(),
            reply: String::new(),
            passed: None,
        };
        let run = JudgedRecord {
            seq: 2,
            kind: RecordKind::Interaction,
            npc: Id::new("keeper").unwrap(),
            judged_by: Vec::new(),
            attempts: vec![attempt],
        };
        assert!(doubts(&RegateReport::default(), &run).is_empty());
        let report = RegateReport {
            unused: vec!["cook".to_owned()],
            unused_replies: vec![key(2), key(3)],
            replay: ReplayReport {
                stopped: Some(7),
                ..ReplayReport::default()
            },
            ..RegateReport::default()
        };
        let told = doubts(&report, &run);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("record 7") && told[1].contains("cook"));
        assert!(told[2].contains("attempt 1"));
        let mut skipped = report;
        skipped.replay.skipped.push(2);
        let told = doubts(&skipped, &run);
        assert!(told.len() == 2 && told[1].contains("before the recording"));
        let turn = JudgedRecord {
            kind: RecordKind::AdventureTurn,
            ..run
        };
        assert!(doubts(&skipped, &turn)[1].contains("interrupted"));
    }
}
