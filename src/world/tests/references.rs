//! What words refer to (row W3).

use super::support::{action, answers, rules, turn_by, world};
use crate::base::Id;
use crate::id;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind};
use crate::world::ImperativeParser;
use crate::world::May;
use crate::world::{ActionRegistry, Placement, Rulebook, WorldRead, WorldState};
use serde_json::json;

/// What "take WORDS" means to John: an id, or why not.
fn refers(world: &WorldState, kind: &str, words: &str, mentioned: &[&str]) -> String {
    let registry = ActionRegistry::default();
    let fields = match kind {
        "give" => json!({"target": "box", "to": words}),
        _ => json!({"target": words}),
    };
    let rules = rules(Rulebook::shipped(), &registry);
    let mentioned = mentioned
        .iter()
        .map(|id| vec![Id::new(id).unwrap()])
        .collect();
    let mut turn =
        crate::judged_world::rulebook::turn::Turn::new(rules, TurnKey::default(), world, mentioned);
    match turn.normalise(&action(kind, fields), &id!("john"), May::All, &[]) {
        Ok(intent) if kind == "give" => intent.text("to").unwrap().to_owned(),
        Ok(intent) => intent.target().unwrap().to_owned(),
        Err(error) => error.rule().to_owned(),
    }
}

#[test]
fn w3_references_resolve_always_the_same_way() {
    let mut world = world();
    let carried = Placement::CarriedBy(id!("john"));
    world.entities.get_mut("statue").unwrap().at = carried;
    for (kind, words, mentioned, expected) in [
        ("take", "key_1", &[][..], "key_1"),
        ("take", "KEY_1", &[], "key_1"),
        ("take", "the brass key", &[], "key_1"),
        ("take", "The  Brass   KEY", &[], "key_1"),
        ("take", "a key", &[], "key_1"),
        ("take", "iron key", &[], "key_2"),
        ("take", "br\u{430}ss key", &[], "key_1"),
        ("take", "brass", &[], "unresolved"),
        ("take", "sword", &[], "unresolved"),
        ("take", "Bob", &[], "unresolved"),
        ("take", "coin", &[], "coin"),
        ("take", "my statue", &[], "statue"),
        ("take", "my key", &[], "unresolved"),
        ("take", "it", &[], "unresolved"),
        ("take", "it", &["key_1"], "key_1"),
        ("take", "it", &["key_1", "box"], "box"),
        ("take", "it", &["key_1", "mary"], "key_1"),
        ("take", "them", &["key_1", "mary"], "mary"),
        ("take", "it", &["key_1", "cellar"], "key_1"),
        ("take", "him", &["mary", "box"], "mary"),
        ("take", "him", &["box"], "unresolved"),
        ("take", "he", &["box"], "john"),
        ("take", "that key", &[], "key_1"),
        ("take", "me", &["box"], "john"),
        ("move", "cellar", &[], "cellar"),
        ("move", "the vault", &[], "vault"),
        ("move", "hall", &[], "hall"),
        ("move", "door", &[], "door_1"),
        ("move", "it", &["box", "cellar", "key_1"], "cellar"),
        ("describe", "the hall", &[], "bad_fields"),
        ("use", "the hall", &[], "hall"),
        ("give", "mary", &[], "mary"),
        ("give", "her", &["mary", "box"], "mary"),
        ("introduce", "bob", &[], "bob"),
        ("introduce", "mary", &[], "mary"),
    ] {
        assert_eq!(
            refers(&world, kind, words, mentioned),
            expected,
            "{kind} {words} {mentioned:?}"
        );
    }
}

#[test]
fn w3_what_fits_equally_well_is_ambiguous() {
    let mut world = world();
    world.entities.get_mut("key_2").unwrap().at = Placement::In(id!("hall"));
    assert_eq!(refers(&world, "take", "the key", &[]), "ambiguous");
    assert_eq!(refers(&world, "take", "the iron key", &[]), "key_2");
    // A name beats an alias, an id beats a name.
    world.entities.get_mut("coin").unwrap().at = Placement::In(id!("hall"));
    world.entities.get_mut("coin").unwrap().name = "key".into();
    assert_eq!(refers(&world, "take", "the key", &[]), "coin");
    world.entities.get_mut("statue").unwrap().name = "coin".into();
    assert_eq!(refers(&world, "take", "coin", &[]), "coin");
    // A look-alike name is next to the real one, and nothing is guessed.
    world.entities.get_mut("box").unwrap().name = "br\u{430}ss key".into();
    assert_eq!(refers(&world, "take", "brass key", &[]), "ambiguous");
}

#[test]
fn w3_a_clarification_has_the_candidates_and_can_be_answered() {
    let mut world = world();
    world.entities.get_mut("key_2").unwrap().at = Placement::In(id!("hall"));
    let registry = ActionRegistry::default();
    let act = |text: &str| TurnInput {
        id: 1,
        kind: TurnKind::Act,
        actor: id!("john"),
        text: Some(text.to_owned()),
        parsed: ImperativeParser.read(text, &registry),
    };
    let record = turn_by(
        &mut world,
        Rulebook::shipped(),
        &registry,
        act("take the key and open the box"),
    );
    // The action that is clear is done all the same.
    assert_eq!(answers(&record), ["OK -"]);
    let question = record.clarification.unwrap();
    assert_eq!(
        (question.index, question.field, question.reason),
        (0, "target", "ambiguous")
    );
    let options: Vec<&str> = question.options.iter().map(|o| o.id.as_str()).collect();
    assert_eq!(options, ["key_1", "key_2"]);
    assert_eq!(question.options[1].name, "iron key");
    let answer = TurnInput {
        parsed: vec![question.answered("key_2")],
        ..act("")
    };
    let record = turn_by(&mut world, Rulebook::shipped(), &registry, answer);
    assert_eq!(answers(&record), ["OK -"]);
    assert_eq!(
        world.placement("key_2"),
        Some(Placement::CarriedBy(id!("john")))
    );
    // What "it" was when it was said, it is when the answer comes.
    world.entities.get_mut("mary").unwrap().at = Placement::In(id!("hall"));
    world.entities.get_mut("bob").unwrap().at = Placement::In(id!("hall"));
    for id in ["mary", "bob"] {
        world.entities.get_mut(id).unwrap().aliases = vec!["friend".to_owned()];
    }
    let text = "take the brass key, give it to my friend and open the box";
    let record = turn_by(
        &mut world,
        Rulebook::shipped(),
        &registry,
        act(&text.replace("my", "the")),
    );
    let question = record.clarification.unwrap();
    assert_eq!(question.answered("bob").fields["target"], "key_1");
    let record = turn_by(
        &mut world,
        Rulebook::shipped(),
        &registry,
        act("take the sword"),
    );
    let question = record.clarification.unwrap();
    assert_eq!((question.reason, question.options.len()), ("unresolved", 0));
}
