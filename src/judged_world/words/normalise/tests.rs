//! Which shapes, actors and alternatives are accepted.

use super::*;
use crate::id;
use crate::judged_world::rulebook::may::May;
use serde_json::json;

fn proposed(kind: &str, fields: Value) -> ProposedAction {
    ProposedAction {
        kind: kind.to_owned(),
        fields: serde_json::from_value(fields).unwrap(),
        ..ProposedAction::default()
    }
}

fn rule(kind: &str, fields: Value, may: May) -> &'static str {
    let registry = ActionRegistry::default();
    let proposed = proposed(kind, fields);
    match normalise(&registry, &proposed, &id!("wizard"), may, Referring::ByIds) {
        Ok(_) => "ok",
        Err(error) => error.rule(),
    }
}

#[test]
fn g7_shapes_are_checked_field_by_field() {
    assert_eq!(rule("open", json!({"target": "door"}), May::All), "ok");
    assert_eq!(
        rule(
            "open",
            json!({"target": "door", "tool": "key", "actor": "wizard"}),
            May::All
        ),
        "ok"
    );
    assert_eq!(rule("summon", json!({}), May::All), "unknown_action");
    for wrong in [
        json!({}),
        json!({"target": 3}),
        json!({"target": null}),
        json!({"target": ""}),
        json!({"target": "  "}),
        json!({"target": "door", "targetId": "gate"}),
        json!({"target": "door", "toolId": "key", "tool_id": "axe"}),
        json!({"target": "door", "actorId": "wizard", "actor": "ann"}),
        json!({"target": "door", "toolId": 3}),
        json!({"target": "door", "force": "yes"}),
        json!({"target": "door", "actor": 7}),
        json!({"target": "x".repeat(2_001)}),
    ] {
        assert_eq!(
            rule("open", wrong.clone(), May::All),
            "bad_fields",
            "{wrong}"
        );
    }
    assert_eq!(
        rule("introduce", json!({"kind": "cat"}), May::All),
        "bad_fields"
    );
    assert_eq!(
        rule("introduce", json!({"name": "Tom", "kind": "cat"}), May::All),
        "ok"
    );
}

#[test]
fn g7_the_name_of_an_action_has_any_case_and_a_limit_holds_for_it() {
    let may = ["open".to_owned()];
    for (kind, is) in [
        ("Open", "ok"),
        ("OPEN", "ok"),
        (" open ", "ok"),
        ("Close", "not_allowed"),
        ("Introduce", "not_allowed"),
    ] {
        let fields = json!({"target": "door"});
        assert_eq!(rule(kind, fields, May::Only(&may)), is, "{kind}");
    }
    let newcomer = json!({"name": "Tom"});
    assert_eq!(
        rule("INTRODUCE", newcomer, May::AllButIntroduce),
        "not_allowed"
    );
    let himself = json!({"name": "wizard"});
    assert_eq!(rule("Introduce", himself, May::All), "bad_fields");
}

#[test]
fn g7_an_empty_text_in_what_may_be_left_out_is_left_out() {
    for fields in [
        json!({"target": "door", "tool": ""}),
        json!({"target": "door", "tool": " \n", "actor": ""}),
        json!({"target": "door", "tool": "\u{200b}"}),
        json!({"target": "door", "to": "", "content": " ", "name": null}),
    ] {
        assert_eq!(rule("open", fields.clone(), May::All), "ok", "{fields}");
    }
    assert_eq!(
        rule("speak", json!({"content": "Hi.", "to": ""}), May::All),
        "ok"
    );
    assert_eq!(
        rule("speak", json!({"content": "", "to": ""}), May::All),
        "bad_fields"
    );
    assert_eq!(
        rule("give", json!({"target": "key", "to": ""}), May::All),
        "bad_fields"
    );
    assert_eq!(
        rule("introduce", json!({"target": "", "name": ""}), May::All),
        "bad_fields"
    );
    assert_eq!(
        rule(
            "introduce",
            json!({"target": "", "name": "Tom", "attributes": ""}),
            May::All
        ),
        "ok"
    );
}

#[test]
fn g7_references_may_be_called_ids() {
    for fields in [
        json!({"actorId": "wizard", "targetId": "door", "toolId": "key"}),
        json!({"actor_id": "wizard", "target_id": "door", "tool_id": ""}),
        json!({"actorId": "wizard", "actor": "wizard", "target": "door"}),
    ] {
        assert_eq!(rule("open", fields.clone(), May::All), "ok", "{fields}");
    }
    let foreign = json!({"actorId": "ann", "targetId": "door"});
    assert_eq!(rule("open", foreign, May::All), "foreign_actor");
    let words = json!({"contentId": "Hi."});
    assert_eq!(rule("speak", words, May::All), "bad_fields");
}

#[derive(Debug, Clone, bevy::prelude::Reflect, serde::Serialize, serde::Deserialize)]
struct Summon {
    circle: String,
    #[reflect(@FieldKind::Newcomer)]
    who: Option<String>,
    name: Option<String>,
    kind: Option<String>,
}

impl crate::judged_world::NpcAction for Summon {
    const NAME: &'static str = "summon";

    fn alternatives() -> Vec<Vec<&'static str>> {
        vec![vec!["who"], vec!["name", "kind"]]
    }
}

#[test]
fn w3_a_games_own_action_may_have_alternatives() {
    let mut registry = ActionRegistry::default();
    registry.add::<Summon>();
    let read = |fields: Value| {
        let proposed = proposed("summon", fields);
        normalise(
            &registry,
            &proposed,
            &id!("wizard"),
            May::All,
            Referring::ByIds,
        )
        .map(|intent| serde_json::to_value(intent.fields()).unwrap())
        .map_err(|error| error.to_string())
    };
    assert_eq!(
        read(json!({"circle": "salt", "who": "imp", "name": "Tom", "kind": "cat"})),
        Ok(json!({"circle": "salt", "who": "imp"}))
    );
    assert_eq!(
        read(json!({"circle": "salt", "name": "Tom", "kind": "cat"})),
        Ok(json!({"circle": "salt", "name": "Tom", "kind": "cat"}))
    );
    assert_eq!(
        read(json!({"circle": "salt", "kind": "cat"})),
        Err("the action \"summon\" needs \"who\" or \"name\"".to_owned())
    );
    let mut shape = registry.shape("summon").unwrap().clone();
    assert_eq!(shape.problem(), None);
    shape.alternatives.push(vec!["age"]);
    assert!(shape.problem().unwrap().contains("age"));
}

#[test]
fn g7_the_actor_is_the_speaker_and_may_is_the_limit() {
    let may = ["open".to_owned()];
    assert_eq!(
        rule("take", json!({"target": "key"}), May::Only(&may)),
        "not_allowed"
    );
    assert_eq!(
        rule("open", json!({"target": "door"}), May::Only(&may)),
        "ok"
    );
    assert_eq!(
        rule(
            "open",
            json!({"target": "door", "actor": "player"}),
            May::All
        ),
        "foreign_actor"
    );
    assert_eq!(
        rule("open", json!({"target": "door"}), May::Only(&[])),
        "not_allowed"
    );
}

#[test]
fn an_intent_serialises_flat() {
    let registry = ActionRegistry::default();
    let give = proposed("give", json!({"target": "key", "to": "ann"}));
    let intent = normalise(&registry, &give, &id!("wizard"), May::All, Referring::ByIds).unwrap();
    assert_eq!(
        serde_json::to_value(&intent).unwrap(),
        json!({"type": "give", "actor": "wizard", "target": "key", "to": "ann"})
    );
}
