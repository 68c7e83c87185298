//! The shipped rulebook in a plain world (rows W5, W6, W7).

use super::support::{action, answers, john, turn_by, typed, world};
use bevy_dramatis::id;
use bevy_dramatis::world::{ActionRegistry, Placement, Rulebook, WorldRead};
use serde_json::json;

fn one(kind: &str, fields: serde_json::Value) -> String {
    john(&mut world(), kind, fields)
}

#[test]
fn w5_the_shipped_rulebook_check_by_check() {
    for (kind, fields, expected) in [
        ("move", json!({"target": "cellar"}), "OK -"),
        (
            "move",
            json!({"target": "vault"}),
            "INVALID_TARGET move_connected",
        ),
        (
            "move",
            json!({"target": "hall"}),
            "INVALID_TARGET move_connected",
        ),
        (
            "move",
            json!({"target": "door_1"}),
            "INVALID_TARGET move_location",
        ),
        (
            "move",
            json!({"target": "nowhere"}),
            "NOT_FOUND move_exists",
        ),
        ("take", json!({"target": "key_1"}), "OK -"),
        ("take", json!({"target": "coin"}), "NOT_PRESENT take_here"),
        (
            "take",
            json!({"target": "nothing"}),
            "NOT_FOUND take_exists",
        ),
        (
            "take",
            json!({"target": "statue"}),
            "INVALID_TARGET take_takeable",
        ),
        (
            "take",
            json!({"target": "john"}),
            "INVALID_TARGET take_takeable",
        ),
        (
            "take",
            json!({"target": "hall"}),
            "INVALID_TARGET take_unowned",
        ),
        ("take", json!({"target": "bob"}), "NOT_PRESENT take_here"),
        (
            "drop",
            json!({"target": "key_1"}),
            "MISSING_REQUIREMENT drop_carried",
        ),
        ("drop", json!({"target": "nothing"}), "NOT_FOUND unresolved"),
        (
            "give",
            json!({"target": "key_1", "to": "mary"}),
            "MISSING_REQUIREMENT give_carried",
        ),
        (
            "give",
            json!({"target": "nothing", "to": "mary"}),
            "NOT_FOUND give_exists",
        ),
        ("open", json!({"target": "door_1"}), "LOCKED open_key"),
        ("open", json!({"target": "box"}), "OK -"),
        (
            "open",
            json!({"target": "statue"}),
            "INVALID_TARGET open_openable",
        ),
        ("open", json!({"target": "coin"}), "NOT_PRESENT open_here"),
        (
            "open",
            json!({"target": "nothing"}),
            "NOT_FOUND open_exists",
        ),
        (
            "close",
            json!({"target": "box"}),
            "INVALID_TARGET close_open",
        ),
        (
            "close",
            json!({"target": "statue"}),
            "INVALID_TARGET close_openable",
        ),
        ("use", json!({"target": "statue"}), "OK -"),
        ("use", json!({"target": "coin"}), "NOT_PRESENT use_here"),
        (
            "use",
            json!({"target": "box", "tool": "key_1"}),
            "MISSING_REQUIREMENT use_tool",
        ),
        ("speak", json!({"content": "Hello."}), "OK -"),
        ("speak", json!({"content": ""}), "rejected bad_fields"),
        ("introduce", json!({"target": "bob"}), "OK -"),
        (
            "introduce",
            json!({"target": "mary"}),
            "INVALID_TARGET introduce_offstage",
        ),
        (
            "introduce",
            json!({"target": "nobody"}),
            "NOT_FOUND introduce_exists",
        ),
        ("introduce", json!({"name": "Tom"}), "OK -"),
        (
            "introduce",
            json!({"name": "the MARY"}),
            "INVALID_TARGET introduce_name_free",
        ),
        ("introduce", json!({"kind": "cat"}), "rejected bad_fields"),
        (
            "describe",
            json!({"target": "statue", "content": "Old."}),
            "OK -",
        ),
        (
            "describe",
            json!({"target": "coin", "content": "Old."}),
            "NOT_PRESENT describe_here",
        ),
        (
            "fly",
            json!({"target": "cellar"}),
            "rejected unknown_action",
        ),
    ] {
        assert_eq!(one(kind, fields.clone()), expected, "{kind} {fields}");
    }
}

#[test]
fn w5_an_actor_that_is_not_there_goes_nowhere() {
    let mut world = world();
    let input = typed("ghost", vec![action("move", json!({"target": "cellar"}))]);
    let record = turn_by(
        &mut world,
        Rulebook::shipped(),
        &ActionRegistry::default(),
        input,
    );
    assert_eq!(answers(&record), ["NOT_FOUND move_actor_exists"]);
}

#[test]
fn w7_what_is_carried_travels_and_can_be_given_once() {
    let mut world = world();
    assert_eq!(john(&mut world, "take", json!({"target": "key_1"})), "OK -");
    assert_eq!(
        john(&mut world, "take", json!({"target": "key_1"})),
        "INVALID_TARGET take_unowned"
    );
    assert_eq!(
        john(&mut world, "give", json!({"target": "key_1", "to": "mary"})),
        "NOT_PRESENT give_receiver_here"
    );
    assert_eq!(
        john(
            &mut world,
            "give",
            json!({"target": "key_1", "to": "statue"})
        ),
        "INVALID_TARGET give_receiver_character"
    );
    assert_eq!(
        john(&mut world, "move", json!({"target": "cellar"})),
        "OK -"
    );
    assert_eq!(
        john(&mut world, "give", json!({"target": "key_1", "to": "mary"})),
        "OK -"
    );
    assert_eq!(
        john(&mut world, "drop", json!({"target": "key_1"})),
        "MISSING_REQUIREMENT drop_carried"
    );
    assert_eq!(
        world.placement("key_1"),
        Some(Placement::CarriedBy(id!("mary")))
    );
}

#[test]
fn w6_actions_are_judged_in_sequence() {
    let mut changed = world();
    let input = typed(
        "john",
        vec![
            action("take", json!({"target": "key_1"})),
            action("open", json!({"target": "door_1"})),
            action("open", json!({"target": "door_1"})),
            action("close", json!({"target": "door_1"})),
        ],
    );
    let record = turn_by(
        &mut changed,
        Rulebook::shipped(),
        &ActionRegistry::default(),
        input,
    );
    assert_eq!(
        answers(&record),
        ["OK -", "OK -", "INVALID_TARGET open_closed", "OK -"]
    );
    assert_eq!(changed.attribute("door_1", "open"), Some(false.into()));
    assert_eq!(changed.attribute("door_1", "locked"), Some(false.into()));
}
