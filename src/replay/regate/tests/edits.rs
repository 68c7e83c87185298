//! Other replies in place of the recorded ones.

use super::{NO_VAULT, SPEECH, judged, read, recorded, responsible};
use crate::gate::FailureReason as F;
use crate::journal::Recording;
use crate::replay::regate::FindingChange::{Appeared, Vanished};
use crate::replay::regate::{ChangedRules, RegateReport, ReplyKey};

/// The recorded rules, and these texts by record and attempt.
pub(super) fn edited(texts: &[(u64, u32, &str)]) -> ChangedRules {
    let key = |(seq, attempt, text): &(u64, u32, &str)| {
        let (seq, attempt) = (*seq, *attempt);
        (ReplyKey { seq, attempt }, (*text).to_owned())
    };
    ChangedRules {
        replies: texts.iter().map(key).collect(),
        ..ChangedRules::default()
    }
}

/// Whether each of the edited replies passed as it was recorded, and whether its other text does.
fn passed(report: &RegateReport) -> Vec<(bool, bool)> {
    let replies = report.replies.iter();
    let passed = replies.map(|reply| (reply.before.verdict.passed, reply.after.verdict.passed));
    passed.collect()
}

/// The replies of all runs as they were recorded.
fn as_recorded(recording: &Recording) -> ChangedRules {
    let mut texts = ChangedRules::default();
    for record in &recording.records {
        let replies = record.body.get("bytes").and_then(|bytes| bytes.as_array());
        for (attempt, reply) in (0..).zip(replies.into_iter().flatten()) {
            // A call that failed has no reply.
            if let (Some(text), true) = (reply["text"].as_str(), reply["error"].is_null()) {
                let seq = record.seq;
                texts
                    .replies
                    .insert(ReplyKey { seq, attempt }, text.to_owned());
            }
        }
    }
    texts
}

#[test]
fn j4_regate_judges_an_edited_reply_by_the_recorded_rules() {
    let recording = recorded(&SPEECH.replace('@', NO_VAULT));
    // The first reply speaks of the vault and fails; the second one passes.
    let report = judged(
        &recording,
        &edited(&[
            (2, 0, "The cellar lies below."),
            (2, 1, "I guard the VAULT."),
        ]),
    );
    assert_eq!(passed(&report), [(false, true), (true, false)]);
    assert_eq!(report.unused_replies, []);
    let [clean, forbidden] = &report.changed[..] else {
        panic!("{:?}", report.changed);
    };
    assert_eq!(
        responsible(clean),
        [(Vanished, F::ProhibitionViolated, "no_vault")]
    );
    assert_eq!(
        responsible(forbidden),
        [(Appeared, F::ProhibitionViolated, "no_vault")]
    );
    assert_eq!(forbidden.after.failures, ["no_vault"]);
    assert_eq!(forbidden.line, "I guard the VAULT.");
    let reply = &report.replies[1];
    assert_eq!(
        (&*reply.npc, &*reply.before.line),
        ("guard", "I say nothing.")
    );
    let span = reply.after.verdict.failures[0].span.as_ref().unwrap();
    assert_eq!((span.start, span.end), (12, 17));
}

#[test]
fn j4_regate_judges_an_edited_reply_by_changed_rules() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let mut changed = ChangedRules::from(&read(&SPEECH.replace('@', NO_VAULT)));
    changed.replies = edited(&[(2, 0, "A cellar.")]).replies;
    let report = judged(&recording, &changed);
    assert_eq!(passed(&report), [(true, true)]);
    assert_eq!(report.changed, [], "neither text fails where it is judged");
    changed.replies = edited(&[(3, 0, "A vault.")]).replies;
    let report = judged(&recording, &changed);
    let found: Vec<_> = report.changed.iter().map(|v| (v.seq, &*v.line)).collect();
    assert_eq!(found, [(2, "The vault lies below."), (3, "A vault.")]);
}

#[test]
fn j4_regate_finds_the_same_in_the_same_text() {
    for delivery in ["Whole", "Sentences"] {
        let scene = SPEECH.replace("npcs:", &format!("delivery: {delivery}, npcs:"));
        let scene = scene.replace("below.\"", "below. It is deep. It is secret.\"");
        let recording = recorded(&scene.replace('@', NO_VAULT));
        let texts = as_recorded(&recording);
        assert!(texts.replies.len() >= 2, "{delivery}: {texts:?}");
        let report = judged(&recording, &texts);
        assert_eq!(report.changed, []);
        assert_eq!(report.unused_replies, []);
        assert_eq!(report.replies.len(), texts.replies.len());
        assert!(
            report
                .replies
                .iter()
                .all(|reply| reply.before == reply.after)
        );
    }
}

#[test]
fn j4_regate_judges_an_edited_reply_as_a_whole_behind_what_was_heard() {
    let scene = r#"(name: "one after the other", delivery: Sentences,
        npcs: [(id: "guard", constraints: [
            (id: "no_vault", kind: Prohibition, severity: Hard, patterns: ["vault"])])],
        replies: [Say("It is cold. The vault lies below."), Say("It is cold. I say nothing.")],
        steps: [Say(to: "guard", text: "What lies below?")])"#;
    let recording = recorded(scene);
    let report = judged(
        &recording,
        &edited(&[
            (2, 0, "A vault. Or another vault."),
            (2, 1, "It is cold. No vault is here."),
        ]),
    );
    assert_eq!(passed(&report), [(false, false), (true, false)]);
    // What repeats what was heard is not said again.
    assert_eq!(report.replies[1].after.line, "No vault is here.");
    assert_eq!(report.replies[0].after.line, "A vault. Or another vault.");
}

#[test]
fn j4_regate_judges_an_edited_reply_again_at_the_commit() {
    // The topic was open when the input was frozen, and is closed when the line is to be spoken.
    let scene = r#"(name: "closed meanwhile", policy: Custom((max_attempts: 1)), world: (flags: {"crowned": true}),
        npcs: [(id: "guard", hidden: [(topic: "crown*", until: Flag("crowned"))], fallbacks: (generic: ["Hm."]))],
        replies: [Say("It is nothing.")],
        steps: [Say(to: "guard", text: "Where?", while_waiting: [SetFlag(name: "crowned", value: false)])])"#;
    let recording = recorded(scene);
    let record = recording.records.last().unwrap().seq;
    let report = judged(&recording, &edited(&[(record, 0, "The crown is here.")]));
    assert_eq!(passed(&report), [(true, false)]);
    assert_eq!(
        responsible(&report.changed[0]),
        [(Appeared, F::ActionRejected, "crown*")]
    );
}

#[test]
fn j4_regate_says_when_an_edited_reply_cannot_be_read() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let report = judged(&recording, &edited(&[(2, 0, r#"{"dialogue": 7}"#)]));
    assert_eq!(passed(&report), [(true, false)]);
    assert_eq!(report.replies[0].after.line, "");
    assert_eq!(report.changed[0].responsible[0].reason, F::InvalidFormat);
}

#[test]
fn j4_regate_tells_of_edited_replies_that_stand_in_for_none() {
    let recording = recorded(&SPEECH.replace('@', ""));
    let nowhere = [
        // The checkpoint, an attempt that was not made, and records that are not there.
        (1, 0, "a"),
        (2, 1, "b"),
        (0, 0, "c"),
        (9, 0, "d"),
        (u64::MAX, u32::MAX, "e"),
    ];
    let changed = edited(&nowhere);
    let report = judged(&recording, &changed);
    assert_eq!((&*report.changed, &*report.replies), (&[][..], &[][..]));
    let unused: Vec<ReplyKey> = changed.replies.into_keys().collect();
    assert_eq!(report.unused_replies, unused);
}
