//! Which shapes, actors and alternatives are accepted.

use super::*;
use crate::id;
use crate::world::may::May;
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
    assert_eq!(
        rule("Open", json!({"target": "door"}), May::All),
        "unknown_action"
    );
    assert_eq!(rule("summon", json!({}), May::All), "unknown_action");
    for wrong in [
        json!({}),
        json!({"target": 3}),
        json!({"target": null}),
        json!({"target": "  "}),
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

#[derive(Debug, Clone, bevy::prelude::Reflect, serde::Serialize, serde::Deserialize)]
struct Summon {
    circle: String,
    #[reflect(@FieldKind::Newcomer)]
    who: Option<String>,
    name: Option<String>,
    kind: Option<String>,
}

impl crate::world::NpcAction for Summon {
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
