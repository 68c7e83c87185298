//! Words and memories under changed rules.

use super::{NO_VAULT, SPEECH, changed_from, judged, read, recorded, responsible};
use crate::gate::FailureReason as F;
use crate::journal::RecordKind;
use crate::replay::regate::FindingChange::{Appeared, Vanished};
use crate::replay::regate::{ChangedRules, Part};
use crate::rules::RuleSeverity;

#[test]
fn j4_regate_names_a_new_prohibition() {
    let changed = changed_from(SPEECH, "", NO_VAULT);
    assert_eq!(changed.len(), 1, "{changed:?}");
    let verdict = &changed[0];
    assert!(verdict.before.passed && verdict.before.failures.is_empty());
    assert!(!verdict.after.passed);
    assert_eq!(verdict.after.failures, ["no_vault"]);
    assert_eq!(
        responsible(verdict),
        [(Appeared, F::ProhibitionViolated, "no_vault")]
    );
    assert_eq!(
        (&*verdict.npc, verdict.attempt, &*verdict.line),
        ("guard", 0, "The vault lies below.")
    );
    assert_eq!(
        (verdict.kind, verdict.responsible[0].part),
        (RecordKind::Interaction, Part::Reply)
    );
    let told = verdict.to_string();
    assert!(
        told.contains("passed before, failed now: now ProhibitionViolated no_vault"),
        "{told}"
    );
}

#[test]
fn j4_regate_names_a_prohibition_that_is_gone() {
    let changed = changed_from(SPEECH, NO_VAULT, "");
    assert_eq!(
        changed.len(),
        1,
        "the retry passed before and after: {changed:?}"
    );
    assert!(!changed[0].before.passed && changed[0].after.passed);
    assert_eq!(
        responsible(&changed[0]),
        [(Vanished, F::ProhibitionViolated, "no_vault")]
    );
}

#[test]
fn j4_regate_tells_a_rule_with_another_weight() {
    let critical = NO_VAULT.replace("Hard", "Critical");
    let changed = changed_from(SPEECH, NO_VAULT, &critical);
    assert_eq!(changed.len(), 1);
    assert!(!changed[0].before.passed && !changed[0].after.passed);
    let weights: Vec<_> = changed[0]
        .responsible
        .iter()
        .map(|r| (r.change, r.severity))
        .collect();
    assert_eq!(
        weights,
        [
            (Appeared, RuleSeverity::Critical),
            (Vanished, RuleSeverity::Hard)
        ]
    );
    // A soft rule decides nothing.
    let soft = NO_VAULT.replace("Hard", "Soft");
    assert_eq!(changed_from(SPEECH, "", &soft), []);
}

#[test]
fn j4_regate_asks_conditions_in_the_world_of_that_moment() {
    let scenario = r#"(name: "night falls", rules: [@], npcs: [(id: "guard")],
        replies: [Say("Hello."), Say("Hello.")],
        steps: [Say(to: "guard", text: "Hi?"), SetFlag(name: "night", value: true), Say(to: "guard", text: "Hi?"),
            SetFlag(name: "night", value: false)])"#;
    let rule = r#"(id: "hush", when: Flag("night"), constraints: [
        (id: "no_hello", kind: Prohibition, severity: Hard, patterns: ["hello"])])"#;
    let changed = changed_from(scenario, "", rule);
    assert_eq!(changed.len(), 1, "only at night: {changed:?}");
    assert_eq!(
        changed[0].seq, 4,
        "begun, the first run, the flag, the second run"
    );
    assert_eq!(
        responsible(&changed[0]),
        [(Appeared, F::ProhibitionViolated, "no_hello")]
    );
}

#[test]
fn j4_regate_judges_by_changed_triggers_and_custom_rules() {
    let scenario = r#"(name: "at the altar", triggers: [(id: "altar", custom_rules: [@])], npcs: [(id: "guard")],
        replies: [Say("A curse on you!"), Say("A curse on you!")],
        steps: [Trigger(npc: "guard", reason: ZoneTrigger, trigger_id: "altar"), Say(to: "guard", text: "Hi?")])"#;
    let rule = r#"(id: "no_curse", kind: Prohibition, severity: Hard, pattern: "curse*")"#;
    let changed = changed_from(scenario, "", rule);
    assert_eq!(
        changed.len(),
        1,
        "the other run has no trigger: {changed:?}"
    );
    assert_eq!(
        responsible(&changed[0]),
        [(Appeared, F::CustomRule, "no_curse")]
    );
    let changed = changed_from(
        SPEECH,
        "",
        r#"custom_rules: [
        (id: "be_kind", kind: Requirement, severity: Hard, pattern: "please")],"#,
    );
    assert_eq!(changed.len(), 2);
    assert!(
        changed
            .iter()
            .all(|v| responsible(v) == [(Appeared, F::CustomRule, "be_kind")])
    );
}

#[test]
fn j4_regate_judges_by_changed_canon() {
    let scenario = r#"(name: "who reigns", npcs: [(id: "guard")],
        canon: [(id: "king", text: "@", contradicted_by: ["king edmund"])],
        replies: [Say("King Edmund reigns."), Say("King Oswald reigns.")],
        steps: [Say(to: "guard", text: "Who reigns?")])"#;
    let strict = scenario.replace(r#"["king edmund"]"#, r#"["king oswald"]"#);
    let recording = recorded(&scenario.replace('@', "Oswald is king."));
    let report = judged(
        &recording,
        &ChangedRules::from(&read(&strict.replace('@', "Edmund is king."))),
    );
    // The first attempt is Critical and ends the run; it is no contradiction any more.
    assert_eq!(
        (report.runs, report.attempts, report.changed.len()),
        (1, 1, 1)
    );
    assert_eq!(
        responsible(&report.changed[0]),
        [(Vanished, F::CanonContradiction, "king")]
    );
    assert!(report.changed[0].after.passed);
}

#[test]
fn j4_regate_judges_by_changed_topics() {
    let closed = r#"hidden: [(topic: "vault", until: Flag("trusted"))],"#;
    let changed = changed_from(SPEECH, "", closed);
    assert_eq!(changed.len(), 1);
    assert_eq!(
        responsible(&changed[0]),
        [(Appeared, F::KnowledgeBoundary, "vault")]
    );
    let open = closed.replace("Flag(\"trusted\")", "Not(Flag(\"trusted\"))");
    assert_eq!(changed_from(SPEECH, "", &open), []);
    assert_eq!(
        responsible(&changed_from(SPEECH, closed, &open)[0]),
        [(Vanished, F::KnowledgeBoundary, "vault")]
    );
    let forbidden = changed_from(SPEECH, "", r#"forbidden: ["below"],"#);
    assert_eq!(
        responsible(&forbidden[0]),
        [(Appeared, F::KnowledgeBoundary, "below")]
    );
}

#[test]
fn j4_regate_asks_again_at_the_commit() {
    // The topic was open when the input was frozen, and is closed when the line is to be spoken.
    let scenario = r#"(name: "closed meanwhile", policy: Custom((max_attempts: 1)), world: (flags: {"crowned": true}),
        npcs: [(id: "guard", @ fallbacks: (generic: ["Hm."]))], replies: [Say("The crown is in the chest.")],
        steps: [Say(to: "guard", text: "Where?", while_waiting: [SetFlag(name: "crowned", value: false)])])"#;
    let hidden = r#"hidden: [(topic: "crown*", until: Flag("crowned"))],"#;
    let changed = changed_from(scenario, "", hidden);
    assert_eq!(changed.len(), 1);
    assert_eq!(
        responsible(&changed[0]),
        [(Appeared, F::ActionRejected, "crown*")]
    );
    let changed = changed_from(scenario, hidden, "");
    assert!(changed[0].after.passed && !changed[0].before.passed);
    assert_eq!(
        responsible(&changed[0]),
        [(Vanished, F::ActionRejected, "crown*")]
    );
}

#[test]
fn j4_regate_tells_of_memories_that_are_refused_alone() {
    let scenario = r#"(name: "what is remembered", npcs: [(id: "guard", @)],
        replies: [Say("Well. [MEMORY: a vault lies below] [MEMORY: another vault lies above]")],
        steps: [Say(to: "guard", text: "What lies below?")])"#;
    let changed = changed_from(scenario, "", NO_VAULT);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(
        changed[0].before.passed && changed[0].after.passed,
        "the reply stands"
    );
    assert_eq!(changed[0].after.failures, [""; 0]);
    let both = [(Appeared, F::ProhibitionViolated, "no_vault"); 2];
    assert_eq!(responsible(&changed[0]), both);
    assert!(
        changed[0]
            .responsible
            .iter()
            .all(|r| r.part == Part::Memory && r.severity == RuleSeverity::Soft)
    );
}

#[test]
fn j4_regate_keeps_what_a_retry_has_hardened() {
    let scenario = r#"(name: "hardened", policy: Custom((max_attempts: 2, escalation: HardenRequirements)),
        npcs: [(id: "guard", constraints: [
            (id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"]),
            @], fallbacks: (generic: ["Hm."]))],
        replies: [Say("It is a secret."), Say("It is a stone.")],
        steps: [Say(to: "guard", text: "What is it?")])"#;
    let ask = r#"(id: "ask", kind: Requirement, severity: Soft, patterns: ["who"])"#;
    let changed = changed_from(scenario, ask, "");
    assert_eq!(
        changed.len(),
        1,
        "a soft rule fails nothing before it is hardened: {changed:?}"
    );
    assert_eq!(changed[0].attempt, 1);
    assert_eq!(
        responsible(&changed[0]),
        [(Vanished, F::RequirementNotMet, "ask")]
    );
    // With another pattern it is as hard as it was.
    assert_eq!(
        changed_from(scenario, ask, &ask.replace("who", "stranger")),
        []
    );
    let met = changed_from(scenario, ask, &ask.replace("who", "stone"));
    assert!(met.len() == 1 && met[0].after.passed, "{met:?}");
}
