//! Told turns: their stages and intentions, judged a second time.

use super::edits::edited;
use super::{changed_from, judged, read, recorded, responsible};
use bevy_dramatis::gate::FailureReason as F;
use bevy_dramatis::journal::RecordKind;
use bevy_dramatis::journal::regate::FindingChange::{Appeared, Vanished};
use bevy_dramatis::journal::regate::{ChangedRules, Part};

/// A turn in which Kael opens the door, and Mira speaks of the crown first and keeps quiet then. The replies, counted through: the
/// narrator of kael, its extractor, lore, Mira's intention twice, her narrator, her extractor, lore.
const TURN: &str = r#"(
    name: "a told turn",
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
    assert!(told.to_string().contains("told turn, reply 0"), "{told}");
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
    assert!(done.to_string().contains("told turn, actions"), "{done}");
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
            (SEQ, 5, "```"),
            (SEQ, 8, "There is no such reply."),
        ]),
    );
    let said = |reply: &bevy_dramatis::journal::regate::EditedReply| {
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
    assert_eq!(told.len(), 4);
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
