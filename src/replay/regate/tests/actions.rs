//! Actions under a changed rulebook.

use super::{changed_from, responsible};
use crate::gate::FailureReason as F;
use crate::journal::RecordKind;
use crate::replay::regate::FindingChange::{Appeared, Vanished};
use crate::replay::regate::Part;

const DOOR: &str = r#"(
    name: "a door",
    @
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "guard": (name: "Guard", kind: "character", at: In("hall")),
            "door_1": (name: "oak door", aliases: ["door"], kind: "door", at: In("hall"),
                       attributes: {"openable": true, "open": false}),
            "torch_1": (name: "torch", kind: "item", at: CarriedBy("guard"), attributes: {"takeable": true}),
        },
    ),
    npcs: [(id: "guard", may: ["open", "close"])],
    replies: [Say("As you wish. [INTENT: open door_1]")],
    steps: [
        Do(actor: "player", actions: [Open(target: "door_1"), Close(target: "door_1")]),
        Act(actor: "player", text: "open the door and close it"),
        Say(to: "guard", text: "Open it, please."),
    ],
)"#;
const TORCH: &str = r#"rulebook: Rulebook(id: "dark", extends: "default", actions: {"open": (
    checks: [(id: "open_torch", when: Carries(Actor, The("torch_1")), else: MISSING_REQUIREMENT, message: "it is too dark")],
    effects: [SetAttribute(Target, "open", true)])}),"#;

#[test]
fn j4_regate_judges_actions_by_a_changed_rulebook() {
    let changed = changed_from(DOOR, "", TORCH);
    // The guard has the torch. What cannot be opened cannot be closed.
    let turns: Vec<RecordKind> = changed.iter().map(|v| v.kind).collect();
    assert_eq!(turns, [RecordKind::Turn; 2], "{changed:?}");
    let denied = [
        (Appeared, F::ActionRejected, "open_torch"),
        (Appeared, F::ActionRejected, "close_open"),
    ];
    for verdict in &changed {
        assert_eq!(responsible(verdict), denied);
        assert!(verdict.before.passed && !verdict.after.passed);
        assert_eq!(verdict.after.failures, ["open_torch", "close_open"]);
        assert_eq!(
            verdict.responsible[0].message,
            "MISSING_REQUIREMENT (open_torch): it is too dark"
        );
        assert_eq!(verdict.responsible[0].part, Part::Action);
    }
    let lines: Vec<&str> = changed.iter().map(|v| &*v.line).collect();
    assert_eq!(lines, ["open, close", "open the door and close it"]);
    // The other way round the torch goes out: now it is the guard's reply that fails.
    let dark = TORCH.replace("Carries(Actor", "Carries(The(\"player\")");
    let changed = changed_from(DOOR, TORCH, &dark);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!(
        (&*changed[0].npc, changed[0].after.passed),
        ("guard", false)
    );
    assert_eq!(
        responsible(&changed[0]),
        [(Appeared, F::ActionRejected, "open_torch")]
    );
    // And back again: what the guard was not allowed to do is allowed.
    let changed = changed_from(DOOR, &dark, TORCH);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(!changed[0].before.passed && changed[0].after.passed);
    assert_eq!(
        responsible(&changed[0]),
        [(Vanished, F::ActionRejected, "open_torch")]
    );
}

#[test]
fn j4_regate_tells_another_answer_of_the_same_check() {
    let locked = TORCH.replace("MISSING_REQUIREMENT", "LOCKED");
    let changed = changed_from(DOOR, TORCH, &locked);
    assert_eq!(changed.len(), 2);
    assert!(!changed[0].before.passed && !changed[0].after.passed);
    assert_eq!(changed[0].before.failures, changed[0].after.failures);
    let told = responsible(&changed[0]);
    assert_eq!(
        told,
        [
            (Appeared, F::ActionRejected, "open_torch"),
            (Vanished, F::ActionRejected, "open_torch")
        ]
    );
    assert!(changed[0].responsible[0].message.starts_with("LOCKED"));
}

#[test]
fn j4_regate_judges_by_what_a_character_may_do_now() {
    let scenario = DOOR.replace('@', "").replace("\"open\", \"close\"", "@");
    let changed = changed_from(&scenario, "\"open\", \"close\"", "\"close\"");
    assert_eq!(changed.len(), 1, "turns are nobody's list: {changed:?}");
    assert_eq!(changed[0].kind, RecordKind::Interaction);
    let [found] = &*changed[0].responsible else {
        panic!("{changed:?}");
    };
    assert_eq!(
        (found.reason, found.part, found.change),
        (F::ActionRejected, Part::Action, Appeared)
    );
    assert!(
        !found.rule.is_empty() && found.message.contains("open"),
        "{found:?}"
    );
    assert!(!changed[0].after.passed);
}
