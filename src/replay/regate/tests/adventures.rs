//! Turns of adventures: their stages and intentions, judged a second time, and as scenarios.

use super::edits::edited;
use super::{changed_from, judged, read, recorded, responsible};
use crate::gate::FailureReason as F;
use crate::journal::RecordKind;
use crate::replay::regate::FindingChange::{Appeared, Vanished};
use crate::replay::regate::{ChangedRules, Part};

/// A turn in which Kael opens the door, and Mira speaks of the crown first and keeps quiet then. The replies, counted through: the
/// narrator of kael, its extractor, lore, Mira's intention twice, her narrator, her extractor, lore.
const TURN: &str = r#"(
    name: "a turn of an adventure",
    world: (
        locations: {"inn": (name: "Inn")},
        entities: {
            "kael": (name: "Kael", kind: "character", at: In("inn")),
            "door_1": (name: "cellar door", aliases: ["door"], kind: "door", at: In("inn"),
                       attributes: {"openable": true, "open": false}),
        },
    ),
    npcs: [(id: "mira", name: "Mira", persona: "You are Mira.", location: "inn", chattiness: 100,
        constraints: [(id: "no_crown", kind: Prohibition, severity: Hard, patterns: ["@crown"])])],
    personas: [(id: "kael", description: "A traveller.")],
    @
    replies: [
        Reply((stage: Narrator, npc: "kael", text: "The door swings open on a dark stair.")),
        Reply((stage: PersonaExtractor, text: "{\"calls\": []}")),
        Reply((stage: LoreExtractor, text: "{\"calls\": []}")),
        Reply((stage: NpcIntent, npc: "mira", text: "{\"thought\": \"Hm.\", \"intention\": \"I speak of the crown.\"}")),
        Reply((stage: NpcIntent, npc: "mira", text: "{\"thought\": \"Hm.\", \"intention\": \"I keep quiet.\"}")),
        Reply((stage: Narrator, npc: "mira", text: "Mira nods.")),
        Reply((stage: CharacterExtractor, npc: "mira", text: "{\"calls\": []}")),
        Reply((stage: LoreExtractor, text: "{\"calls\": []}")),
    ],
    steps: [Turn(persona: "kael", intention: "I open the door.")],
)"#;

/// The turn with these patterns of what Mira must not say, and with more fields.
fn turn(pattern: &str, fields: &str) -> String {
    TURN.replace("@crown", pattern).replace('@', fields)
}

/// The number of its record.
const SEQ: u64 = 2;

#[test]
fn j4_regate_judges_what_a_narrator_told() {
    let shut = r#"rules: [(id: "dark", constraints: [(id: "no_stair", kind: Prohibition, severity: Hard, patterns: ["stair"])])],"#;
    let changed = changed_from(&turn("crown", "@"), "", shut);
    let [told] = &changed[..] else {
        panic!("{changed:?}");
    };
    assert_eq!((told.seq, told.kind), (SEQ, RecordKind::AdventureTurn));
    assert_eq!((told.npc.as_str(), told.attempt), ("kael", 0));
    assert_eq!(told.line, "The door swings open on a dark stair.");
    assert!(told.before.passed && !told.after.passed);
    assert_eq!(
        responsible(told),
        [(Appeared, F::ProhibitionViolated, "no_stair")]
    );
    assert!(
        told.to_string().contains("turn of an adventure, reply 0"),
        "{told}"
    );
}

#[test]
fn j4_regate_judges_an_intention_by_its_character() {
    let recording = recorded(&turn("crown", ""));
    let other = ChangedRules::from(&read(&turn("quiet", "")));
    let report = judged(&recording, &other);
    assert_eq!(report.unused, [""; 0], "she has acted");
    let found: Vec<_> = report
        .changed
        .iter()
        .map(|changed| (changed.npc.as_str(), changed.attempt, responsible(changed)))
        .collect();
    let no_crown = |change| vec![(change, F::ProhibitionViolated, "no_crown")];
    assert_eq!(
        found,
        [
            ("mira", 3, no_crown(Vanished)),
            ("mira", 4, no_crown(Appeared))
        ]
    );
}

#[test]
fn j4_regate_judges_what_is_done_in_a_told_turn() {
    let shut = r#"rulebook: Rulebook(id: "own", extends: "default", actions: {"open": (
        checks: [(id: "shut", when: Attribute(Target, "open", true), else: LOCKED, message: "it is shut")])}),"#;
    let changed = changed_from(&turn("crown", "@"), "", shut);
    let [done] = &changed[..] else {
        panic!("{changed:?}");
    };
    assert_eq!((done.npc.as_str(), done.seq), ("kael", SEQ));
    assert_eq!(done.line, "I open the door.");
    assert_eq!(done.responsible[0].part, Part::Action);
    assert_eq!(responsible(done), [(Appeared, F::ActionRejected, "shut")]);
    assert!(
        done.to_string().contains("turn of an adventure, actions"),
        "{done}"
    );
}

#[test]
fn j4_regate_reads_what_is_intended_in_the_language_of_the_changed_story() {
    use crate::authoring::{Files, StoryBook};
    use crate::world::ActionRegistry;
    let recording = recorded(&turn("crown", ""));
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/a.story.ron");
    let files = Files::beside(assets.as_ref());
    let story = br#"(lexicon: "lexicon/de.lexicon.ron")"#;
    let story = StoryBook::parse(story, "de.story.ron", &files, &ActionRegistry::default());
    let changed = ChangedRules {
        story: Some(std::sync::Arc::new(story.unwrap())),
        ..ChangedRules::default()
    };
    let report = judged(&recording, &changed);
    let intention = report
        .changed
        .iter()
        .find(|one| one.line == "I open the door.");
    let intention = intention.unwrap();
    assert!(
        intention.before.passed && !intention.after.passed,
        "{intention}"
    );
}

#[test]
fn j4_regate_judges_edited_replies_of_stages() {
    let recording = recorded(&turn("crown", ""));
    let intention = |words: &str| format!(r#"{{"thought": "Hm.", "intention": "{words}"}}"#);
    let (wish, boast) = (
        intention("I speak of the door."),
        intention("My crown is lost."),
    );
    let report = judged(
        &recording,
        &edited(&[
            (SEQ, 0, "The door swings open on a dark stair."),
            (SEQ, 3, &wish),
            (SEQ, 4, &boast),
            (SEQ, 5, ""),
            (SEQ, 8, "There is no such reply."),
        ]),
    );
    let said = |reply: &crate::replay::regate::EditedReply| {
        let passed = (reply.before.verdict.passed, reply.after.verdict.passed);
        (reply.key.attempt, reply.after.line.clone(), passed)
    };
    let told: Vec<_> = report.replies.iter().map(said).collect();
    let stair = "The door swings open on a dark stair.".to_owned();
    assert_eq!(
        told[..3],
        [
            (0, stair, (true, true)),
            (3, "I speak of the door.".to_owned(), (false, true)),
            (4, "My crown is lost.".to_owned(), (true, false)),
        ]
    );
    assert_eq!(report.replies[1].before.line, "I speak of the crown.");
    let empty = (5, String::new(), (true, false));
    assert_eq!(told[3..], [empty], "nothing is told");
    let unused: Vec<u32> = report
        .unused_replies
        .iter()
        .map(|key| key.attempt)
        .collect();
    assert_eq!(unused, [8]);
}

#[test]
fn j4_regate_tells_apart_turns_that_are_alike() {
    let twice = turn("crown", "").replace(
        "steps: [",
        r#"steps: [Turn(persona: "kael", intention: "I look around."), "#,
    );
    let replies = TURN.split("replies: [").nth(1).unwrap();
    let replies = replies.split("],\n    steps").next().unwrap();
    let twice = twice.replace("replies: [", &format!("replies: [{replies}"));
    let recording = recorded(&twice);
    let turns: Vec<u64> = recording
        .records
        .iter()
        .filter(|record| record.kind == RecordKind::AdventureTurn)
        .map(|record| record.seq)
        .collect();
    assert_eq!(turns, [2, 3]);
    let report = judged(&recording, &edited(&[(3, 0, "Kael opens the door.")]));
    let [reply] = &report.replies[..] else {
        panic!("{:?}", report.replies);
    };
    assert_eq!(
        (reply.key.seq, &*reply.after.line),
        (3, "Kael opens the door.")
    );
}

/// The rules that a turn changes by, with who acted, when the intention is this one and fields come or go.
fn changed_actions(intention: &str, fields: &str) -> Vec<(String, Vec<String>)> {
    let turn = |fields: &str| {
        let places = r#"{"inn": (name: "Inn", connected_to: ["cellar"]), "cellar": (name: "Cellar", connected_to: ["inn"])}"#;
        turn("crown", fields)
            .replace(r#"{"inn": (name: "Inn")}"#, places)
            .replace(
                r#""door_1":"#,
                r#""rope": (name: "rope", kind: "item", at: In("cellar"), attributes: {"takeable": true}), "door_1":"#,
            )
            .replace("I open the door.", intention)
    };
    let recording = recorded(&turn(""));
    let report = judged(&recording, &ChangedRules::from(&read(&turn(fields))));
    let changed = report.changed.iter().filter(|changed| {
        let mut responsible = changed.responsible.iter();
        responsible.all(|one| one.part == Part::Action)
    });
    let rules = changed.map(|changed| {
        let rules = changed.responsible.iter();
        let rules = rules.map(|one| format!("{:?} {}", one.change, one.rule));
        (changed.npc.to_string(), rules.collect())
    });
    rules.collect()
}

const NOBODY_GOES: &str = r#"rulebook: Rulebook(id: "own", extends: "default", actions: {"move": (
    checks: [(id: "stays", when: Attribute(Target, "is", "open"), else: LOCKED, message: "nobody goes")])}),"#;

#[test]
fn j4_regate_tells_of_what_follows_from_a_refusal() {
    // Who does not go has no rope at hand.
    let changed = changed_actions("I go to the cellar and take the rope.", NOBODY_GOES);
    let rules = ["Appeared stays".to_owned(), "Appeared take_here".to_owned()];
    assert_eq!(changed, [("kael".to_owned(), rules.to_vec())]);
}

#[test]
fn j4_regate_finds_the_same_action_again_behind_one_that_cannot_be_read() {
    // The moon is nowhere, before and after.
    let changed = changed_actions("I take the moon, go to the cellar and take the rope.", "");
    assert_eq!(changed, []);
    let changed = changed_actions(
        "I go to the cellar, take the moon and take the rope.",
        NOBODY_GOES,
    );
    let rules = ["Appeared stays".to_owned(), "Appeared take_here".to_owned()];
    assert_eq!(changed, [("kael".to_owned(), rules.to_vec())]);
}

#[test]
fn j4_regate_tells_actions_apart_by_their_place() {
    // Mira has no rope at hand, before and after: what changes is that she may not open anything.
    let acting = turn("crown", "")
        .replace("I keep quiet.", "I open the door and take the rope.")
        .replace(r#"{"inn": (name: "Inn")}"#, r#"{"inn": (name: "Inn"), "cellar": (name: "Cellar")}"#)
        .replace(
            r#""door_1":"#,
            r#""rope": (name: "rope", kind: "item", at: In("cellar"), attributes: {"takeable": true}), "door_1":"#,
        )
        .replace("I open the door.", "I look around.");
    let recording = recorded(&acting);
    let other = acting.replace("chattiness: 100,", r#"chattiness: 100, may: ["take"],"#);
    let report = judged(&recording, &ChangedRules::from(&read(&other)));
    let [changed] = &report.changed[..] else {
        panic!("{:?}", report.changed);
    };
    let rules = changed.responsible.iter();
    let rules: Vec<String> = rules
        .map(|one| format!("{:?} {}", one.change, one.rule))
        .collect();
    assert_eq!(rules, ["Appeared not_allowed"]);
    assert_eq!(changed.before.failures, ["take_here"]);
}

#[test]
fn j4_regate_judges_a_persona_without_the_file_that_it_may_have() {
    let played = turn("crown", "").replace(
        "npcs: [",
        r#"npcs: [(id: "kael", name: "Kael", location: "inn", may: ["speak"]), "#,
    );
    let recording = recorded(&played);
    let same = judged(&recording, &ChangedRules::from(&read(&played)));
    assert_eq!(same.changed, [], "the rules are the same");
}

#[test]
fn j4_regate_asks_what_a_character_may_do() {
    let acting = turn("crown", "").replace("I keep quiet.", "I open the door.");
    let recording = recorded(&acting);
    let mute = acting.replace("chattiness: 100,", r#"chattiness: 100, may: ["take"],"#);
    let report = judged(&recording, &ChangedRules::from(&read(&mute)));
    let [changed] = &report.changed[..] else {
        panic!("{:?}", report.changed);
    };
    assert_eq!(changed.npc.as_str(), "mira");
    let rules: Vec<&str> = changed.responsible.iter().map(|one| &*one.rule).collect();
    assert!(rules.contains(&"not_allowed"), "{rules:?}");
}

#[test]
fn j4_regate_counts_replies_through_failures_and_stages_that_are_alike() {
    // The first call of the narrator fails: its reply is the second one, and all that follow come one later.
    let failing = turn("crown", "").replace(
        "replies: [",
        r#"replies: [Fail((kind: Transport, stage: Narrator, npc: "kael")),"#,
    );
    let recording = recorded(&failing);
    let lore = |text: &str| {
        format!(r#"{{"calls": [{{"tool": "lore_upsert", "key": "stair", "text": "{text}"}}]}}"#)
    };
    let (first, second) = (lore("It is dark."), lore("It leads down."));
    let report = judged(
        &recording,
        &edited(&[
            (SEQ, 0, "There was no reply."),
            (SEQ, 1, "The door is open."),
            (SEQ, 3, &first),
            (SEQ, 8, &second),
        ]),
    );
    let told: Vec<(u32, &str)> = report
        .replies
        .iter()
        .map(|reply| (reply.key.attempt, &*reply.after.line))
        .collect();
    assert_eq!(told, [(1, "The door is open."), (3, ""), (8, "")]);
    assert!(
        report
            .replies
            .iter()
            .all(|reply| reply.after.verdict.passed)
    );
    let unused: Vec<u32> = report
        .unused_replies
        .iter()
        .map(|key| key.attempt)
        .collect();
    assert_eq!(unused, [0]);
}

#[test]
fn j4_regate_judges_a_turn_that_has_failed_and_one_that_left_a_stage_out() {
    let fails = |times: usize, of: &str| {
        let fail = format!(r#"Fail((kind: Transport, stage: {of})),"#);
        let left_out = "adventure: (on_extractor_failure: Degrade),";
        turn("crown", left_out).replace("replies: [", &format!("replies: [{}", fail.repeat(times)))
    };
    // The narrator fails for good, and the turn with it; an extractor is left out.
    for (source, replies) in [
        (fails(3, "Narrator"), vec![]),
        (fails(3, "PersonaExtractor"), vec![0, 6]),
    ] {
        let recording = recorded(&source);
        let report = judged(
            &recording,
            &edited(&[
                (SEQ, 0, "All is well."),
                (SEQ, 6, r#"{"thought": "", "intention": "I wait."}"#),
            ]),
        );
        let told: Vec<u32> = report
            .replies
            .iter()
            .map(|reply| reply.key.attempt)
            .collect();
        assert_eq!(told, replies, "{:?}", report.replies);
        assert_eq!(report.turns, 1);
    }
}

#[test]
fn x3_a_reply_to_a_stage_is_a_scenario_that_holds() {
    use super::scenarios::{failed, wish, written};
    let source = turn("crown", "").replace(
        r#"description: "A traveller.""#,
        r#"description: "A traveller.", states: [(label: "bold", category: "core", level: 9)]"#,
    );
    let source = source.replace(
        "replies: [",
        "adventure: (on_extractor_failure: Degrade), replies: [",
    );
    let recording = recorded(&source);
    // The same prompt as in the recording: everything that leads to it is said.
    let stages = &recording.records[usize::try_from(SEQ).unwrap() - 1].body["stages"];
    let replayed = written(&recording, &wish(SEQ, 7, None, true))
        .played()
        .trace;
    for (run, stage) in stages.as_array().unwrap().iter().enumerate() {
        let replayed = &replayed["runs"][run];
        assert_eq!(replayed["stage"], stage["stage"], "{run}");
        for (attempt, recorded) in stage["attempts"].as_array().unwrap().iter().enumerate() {
            for field in ["prompt", "snapshot", "passed"] {
                let replayed = &replayed["attempts"][attempt][field];
                assert_eq!(*replayed, recorded[field], "{run} {attempt} {field}");
            }
        }
    }
    let intention = |words: &str| format!(r#"{{"thought": "Hm.", "intention": "{words}"}}"#);
    let (wish_it, boast) = (intention("I open the door."), intention("My crown!"));
    for (attempt, reply, passes) in [
        (0, None, true),
        (0, Some("The door is open."), true),
        (3, None, false),
        (3, Some(&*wish_it), true),
        (4, None, true),
        (4, Some(&*boast), false),
        (7, None, true),
    ] {
        let scenario = written(&recording, &wish(SEQ, attempt, reply, passes));
        assert_eq!(failed(&scenario), [""; 0], "{scenario}");
        let other = written(&recording, &wish(SEQ, attempt, reply, !passes));
        assert_eq!(failed(&other).len(), 1, "{other}");
    }
}

#[test]
fn x3_a_scenario_of_a_later_turn_begins_with_what_came_before() {
    use super::scenarios::{failed, wish, written};
    let source = turn("crown", "")
        .replace(
            "replies: [",
            r#"replies: [Say("Well met."), Reply((stage: Narrator, npc: "kael", text: "Kael looks around.")),
                Reply((stage: PersonaExtractor, text: "{\"calls\": []}")), Reply((stage: LoreExtractor, text: "{\"calls\": []}")),
                Reply((stage: NpcIntent, npc: "mira", text: "I wait.")), Reply((stage: Narrator, npc: "mira", text: "She waits.")),
                Reply((stage: CharacterExtractor, npc: "mira", text: "{\"calls\": []}")), Reply((stage: LoreExtractor, text: "{\"calls\": []}")),"#,
        )
        .replace(
            "steps: [",
            r#"steps: [Say(to: "mira", text: "Hello?"), Advance(seconds: 5.0),
                Turn(persona: "kael", intention: "I look around.", thought: "Hm.", whisper_to: ["mira"]),"#,
        );
    let recording = recorded(&source);
    let turns = recording.records.iter();
    let mut turns = turns.filter(|record| record.kind == RecordKind::AdventureTurn);
    let seq = turns.nth(1).unwrap().seq;
    let scenario = written(&recording, &wish(seq, 3, None, false));
    assert_eq!(failed(&scenario), [""; 0], "{scenario}");
    // Who judges by another rule gets another verdict.
    let tomorrow = scenario.with(r#"npcs: [(id: "mira", name: "Mira", chattiness: 100)],"#);
    assert_eq!(failed(&tomorrow).len(), 1);
}

#[test]
fn x3_an_adventure_that_nobody_described_or_that_was_taken_back_is_a_scenario() {
    use super::scenarios::{failed, wish, written};
    // Who is not described can be played, also after a talk.
    let unknown = turn("crown", "")
        .replace(
            r#"personas: [(id: "kael", description: "A traveller.")],"#,
            "",
        )
        .replace("replies: [", r#"replies: [Say("Well met."), "#)
        .replace("steps: [", r#"steps: [Say(to: "mira", text: "Hello?"), "#);
    let recording = recorded(&unknown);
    let turns = recording.records.iter();
    let mut turns = turns.filter(|record| record.kind == RecordKind::AdventureTurn);
    let seq = turns.next().unwrap().seq;
    assert_eq!(
        failed(&written(&recording, &wish(seq, 3, None, false))),
        [""; 0]
    );
    // A turn that was taken back is not there when the scenario begins.
    let again = unknown.replace(
        "I open the door.\")]",
        "I open the door.\"), RetractTurn, Say(to: \"mira\", text: \"Hm?\")]",
    );
    let again = again.replace(
        "replies: [Say(\"Well met.\"), ",
        "replies: [Say(\"Well met.\"), Reply((stage: Dialogue, text: \"Hm.\")), ",
    );
    assert_ne!(again, unknown);
    let recording = recorded(&again);
    let last = recording.records.last().unwrap().seq;
    let scenario = written(&recording, &wish(last, 0, None, true));
    assert_eq!(failed(&scenario), [""; 0], "{scenario}");
}
