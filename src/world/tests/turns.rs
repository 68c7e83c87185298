//! Turns one after the other in one world: what a later one can refer to, and what it makes again (rows W5 and W10).

use super::support::{action, answers, rules, turn_by, world};
use crate::id;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind, take_turn};
use crate::world::{
    ActionRegistry, ImperativeParser, Placement, ProposedAction, Rulebook, WorldChange, WorldRead,
};
use serde_json::json;

fn typed(id: u64, actions: Vec<ProposedAction>) -> TurnInput {
    TurnInput {
        id,
        kind: TurnKind::Do,
        actor: id!("john"),
        text: None,
        parsed: actions,
    }
}

#[test]
fn w10_the_door_and_key_scene_from_prose() {
    let mut world = world();
    let registry = ActionRegistry::default();
    let mut mentioned = Vec::new();
    for (id, text, expected) in [
        (1, "open the door", vec!["LOCKED open_key"]),
        (2, "take the brass key", vec!["OK -"]),
        (3, "open the door with it", vec!["OK -"]),
        (
            4,
            "go to the cellar, take the coin and go back to the hall",
            vec!["OK -", "OK -", "OK -"],
        ),
    ] {
        let input = TurnInput {
            id,
            kind: TurnKind::Act,
            actor: id!("john"),
            text: Some(text.to_owned()),
            parsed: ImperativeParser.read(text, &registry),
        };
        let rules = rules(Rulebook::shipped(), &registry);
        let record = take_turn(&rules, TurnKey::default(), &world, input, &mut mentioned);
        assert_eq!(answers(&record), expected, "{text}: {record:?}");
        world.install(&record.changes);
    }
    assert_eq!(world.attribute("door_1", "open"), Some(true.into()));
    assert_eq!(
        world.placement("coin"),
        Some(Placement::CarriedBy(id!("john")))
    );
}

#[test]
fn w5_one_newcomer_a_turn_with_a_derived_id() {
    let mut first = world();
    let newcomers = || {
        vec![
            action("introduce", json!({"name": "Tom", "kind": "cat"})),
            action("introduce", json!({"name": "Ann"})),
        ]
    };
    let registry = ActionRegistry::default();
    let record = turn_by(
        &mut first,
        Rulebook::shipped(),
        &registry,
        typed(1, newcomers()),
    );
    assert_eq!(answers(&record), ["OK -", "INVALID_TARGET introduce_one"]);
    let WorldChange::Spawn { id, kind, .. } = record.changes[0].change() else {
        panic!("{:?}", record.changes)
    };
    assert_eq!(kind, "cat");
    assert_eq!(first.place_of(id).as_deref(), Some("hall"));
    // The same turn in the same world makes the same id; another turn, another one.
    let mut again = world();
    let same = turn_by(
        &mut again,
        Rulebook::shipped(),
        &registry,
        typed(1, newcomers()),
    );
    assert_eq!(same, record);
    let later = typed(2, vec![action("introduce", json!({"name": "Ann"}))]);
    let later = turn_by(&mut again, Rulebook::shipped(), &registry, later);
    assert_eq!(answers(&later), ["OK -"]);
    assert_ne!(later.changes[0], record.changes[0]);
}
