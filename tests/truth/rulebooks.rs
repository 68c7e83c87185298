//! Rulebooks of a game: conditions, effects, messages and mistakes (rows W4, W6, X1).

use super::support::{action, answers, john, turn_by, typed, world};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::id;
use bevy_dramatis::world::{
    ActionRegistry, ActionRules, Placement, Rulebook, WorldRead, WorldState, WorldValue,
};
use serde_json::json;

fn book(actions: &str) -> Rulebook {
    let source = format!("Rulebook(id: \"test\", actions: {{{actions}}})");
    Rulebook::parse(
        source.as_bytes(),
        "test.rulebook.ron",
        &ActionRegistry::default(),
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Whether "use the box with the key" is allowed under this condition.
fn holds(condition: &str, world: &WorldState) -> bool {
    let book = book(&format!(
        "\"use\": (checks: [(id: \"c\", when: {condition}, else: LOCKED)])"
    ));
    let fields = json!({"target": "box", "tool": "key_1"});
    let input = typed("john", vec![action("use", fields)]);
    let mut world = world.clone();
    let record = turn_by(&mut world, &book, &ActionRegistry::default(), input);
    record.actions[0].judgement.is_ok()
}

#[test]
fn w6_every_condition_holds_or_not() {
    let mut world = world();
    world.flags.insert("night".into(), true);
    let carried = Placement::CarriedBy(id!("john"));
    world.entities.get_mut("key_1").unwrap().at = carried;
    let mut boxed = world.entities["box"].clone();
    boxed.attributes.insert("weight".into(), 5.into());
    boxed.attributes.insert("label".into(), "fragile".into());
    boxed.attributes.insert("key".into(), "key_1".into());
    world.entities.insert(id!("box"), boxed);
    for (condition, expected) in [
        ("Exists(Target)", true),
        ("Exists(To)", false),
        ("Exists(KeyOf(Target))", true),
        ("Exists(KeyOf(Tool))", false),
        ("Exists(The(\"mary\"))", true),
        ("Exists(The(\"nobody\"))", false),
        ("Exists(Here)", true),
        ("IsLocation(Here)", true),
        ("IsLocation(Target)", false),
        ("Kind(Tool, \"item\")", true),
        ("Kind(Tool, \"door\")", false),
        ("Kind(To, \"item\")", false),
        ("Perceivable(Target)", true),
        ("Perceivable(Tool)", true),
        ("Perceivable(Here)", true),
        ("Perceivable(The(\"coin\"))", false),
        ("SameLocation(Actor, Target)", true),
        ("SameLocation(Actor, Tool)", false),
        ("SameLocation(Here, Target)", true),
        ("SameLocation(The(\"bob\"), The(\"bob\"))", false),
        ("Connected(Here, The(\"cellar\"))", true),
        ("Connected(Here, The(\"vault\"))", false),
        ("Connected(Here, Target)", false),
        ("Carries(Actor, Tool)", true),
        ("Carries(Actor, KeyOf(Target))", true),
        ("Carries(Actor, Target)", false),
        ("Carries(Tool, Actor)", false),
        ("Unowned(Target)", true),
        ("Unowned(Tool)", false),
        ("Unowned(Here)", false),
        ("Unowned(To)", false),
        ("Attribute(Target, \"openable\", true)", true),
        ("Attribute(Target, \"openable\", 1)", false),
        ("Attribute(Target, \"label\", \"fragile\")", true),
        ("Attribute(Target, \"absent\", false)", false),
        ("HasAttribute(Target, \"weight\")", true),
        ("HasAttribute(Target, \"absent\")", false),
        ("AtLeast(Target, \"weight\", 5)", true),
        ("AtLeast(Target, \"weight\", 6)", false),
        ("AtMost(Target, \"weight\", 5)", true),
        ("AtMost(Target, \"weight\", 4)", false),
        ("AtLeast(Target, \"absent\", -9)", false),
        ("AtMost(Target, \"absent\", 9)", false),
        ("AtLeast(Target, \"label\", 0)", false),
        ("Is(Target, \"box\")", true),
        ("Is(Target, \"Box\")", false),
        ("Is(To, \"box\")", false),
        ("Flag(\"night\")", true),
        ("Flag(\"day\")", false),
        ("TimeBetween(5.0, 6.0)", true),
        ("TimeBetween(0, 5)", true),
        ("TimeBetween(5.001, 9.0)", false),
        ("ActorsTurn", true),
        ("Named(Tool)", true),
        ("Named(To)", false),
        ("Given(Content)", false),
        ("Offstage(The(\"bob\"))", true),
        ("Offstage(Target)", false),
        ("NameFree", false),
        ("SpawnedThisTurn", false),
        ("All([])", true),
        ("Any([])", false),
        ("All([Flag(\"night\"), Flag(\"day\")])", false),
        ("Any([Flag(\"night\"), Flag(\"day\")])", true),
        ("Not(Flag(\"day\"))", true),
        ("Not(Attribute(Target, \"absent\", true))", true),
    ] {
        assert_eq!(holds(condition, &world), expected, "{condition}");
    }
    world.turn_of = Some(id!("mary"));
    assert!(!holds("ActorsTurn", &world));
    world.turn_of = Some(id!("john"));
    assert!(holds("ActorsTurn", &world));
}

#[test]
fn w4_out_of_turn_comes_before_everything_else() {
    let mut world = world();
    world.turn_of = Some(id!("mary"));
    assert_eq!(
        john(&mut world, "take", json!({"target": "nothing"})),
        "OUT_OF_TURN take_turn"
    );
    assert_eq!(
        john(&mut world, "speak", json!({"content": "Psst."})),
        "OK -"
    );
}

/// What a turn of "use the box with the key" does with these effects.
fn effects(effects: &str) -> (String, WorldState) {
    let book = book(&format!("\"use\": (effects: [{effects}])"));
    let mut world = world();
    world.entities.get_mut("box").unwrap().attributes.extend([
        ("many".to_owned(), WorldValue::Int(i64::MAX)),
        ("label".to_owned(), "fragile".into()),
    ]);
    let fields = json!({"target": "box", "tool": "key_1"});
    let input = typed("john", vec![action("use", fields)]);
    let record = turn_by(&mut world, &book, &ActionRegistry::default(), input);
    (answers(&record).remove(0), world)
}

#[test]
fn w6_effects_happen_all_or_none() {
    let (answer, after) = effects(
        r#"SetAttribute(Target, "note", "seen"), AddAttribute(Target, "uses", 2), AddAttribute(Target, "uses", -3),
           Place(Tool, CarriedBy(Actor)), SetFlag("used", true), Spawn("a moth", "animal", In(Here)),
           Place(Target, Offstage), SetAttribute(To, "x", true), SetAttribute(Target, "y", Content)"#,
    );
    assert_eq!(answer, "OK -");
    assert_eq!(after.attribute("box", "note"), Some("seen".into()));
    assert_eq!(after.attribute("box", "uses"), Some((-1).into()));
    assert_eq!(after.attribute("box", "y"), None);
    assert_eq!(
        after.placement("key_1"),
        Some(Placement::CarriedBy(id!("john")))
    );
    assert_eq!(after.placement("box"), Some(Placement::Offstage));
    assert!(after.flag("used"));
    assert_eq!(after.named("moth").len(), 1);
    let before = effects("").1;
    for (wrong, expected) in [
        (
            r#"AddAttribute(Target, "many", 1)"#,
            "INVALID_TARGET overflow",
        ),
        (
            r#"AddAttribute(Target, "label", 1)"#,
            "INVALID_TARGET not_a_number",
        ),
        ("Place(Target, In(Tool))", "INVALID_TARGET no_place"),
        ("Place(Target, CarriedBy(Here))", "INVALID_TARGET no_place"),
        ("Place(Target, CarriedBy(To))", "INVALID_TARGET no_place"),
        (
            "Place(Target, CarriedBy(Target))",
            "INVALID_TARGET circular",
        ),
        (r#"SetAttribute(Here, "x", 1)"#, "NOT_FOUND no_entity"),
        (
            r#"Place(Tool, CarriedBy(Target)), Place(Target, CarriedBy(Tool))"#,
            "INVALID_TARGET circular",
        ),
    ] {
        let (answer, after) = effects(&format!("SetFlag(\"begun\", true), {wrong}"));
        assert_eq!(
            (answer.as_str(), after),
            (expected, before.clone()),
            "{wrong}"
        );
    }
}

#[test]
fn w6_without_a_rule_nothing_is_allowed_and_a_book_may_extend_the_shipped_one() {
    let take = || typed("john", vec![action("take", json!({"target": "statue"}))]);
    let registry = ActionRegistry::default();
    let record = turn_by(&mut world(), &book(""), &registry, take());
    assert_eq!(answers(&record), ["UNKNOWN no_rule"]);
    let source = r#"Rulebook(id: "mine", extends: "default", actions: {"take": (effects: [Place(Target, CarriedBy(Actor))])})"#;
    let mine = Rulebook::parse(source.as_bytes(), "x", &registry).unwrap();
    assert_eq!(
        answers(&turn_by(&mut world(), &mine, &registry, take())),
        ["OK -"]
    );
    let open = typed("john", vec![action("open", json!({"target": "door_1"}))]);
    assert_eq!(
        answers(&turn_by(&mut world(), &mine, &registry, open)),
        ["LOCKED open_key"]
    );
    assert_ne!(mine.digest(), Rulebook::shipped().digest());
}

#[test]
fn w6_messages_are_filled_in() {
    let book = book(
        r#""use": (checks: [(id: "c", when: Any([]), else: LOCKED, message: "{actor}, {target}, {tool}, {to}, {here}!")])"#,
    );
    let fields = json!({"target": "box", "tool": "ghost"});
    let john = id!("john");
    let mut world = world();
    world.entities.get_mut("box").unwrap().name = String::new();
    let rules = ActionRules {
        book: &book,
        registry: &ActionRegistry::default(),
        now: GameTime(0),
        max_introduced: 64,
        lexicon: bevy_dramatis::text::Lexicon::english(),
    };
    let record = rules.judge(&world, &john, None, vec![action("use", fields)]);
    // An unknown id gives NOT_FOUND, whatever the book says.
    assert_eq!(answers(&record), ["NOT_FOUND unresolved"]);
    let fields = json!({"target": "box"});
    let record = rules.judge(&world, &john, None, vec![action("use", fields)]);
    assert_eq!(
        record.actions[0].judgement.message,
        "John, box, , , the hall!"
    );
}

#[test]
fn x1_a_rulebook_that_cannot_be_meant_is_refused_with_its_place() {
    let registry = ActionRegistry::default();
    for (source, line, words) in [
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (effects: [Fly(Target)])})",
            2,
            "Fly",
        ),
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (effects: [Place(Target, In(Nowhere))])})",
            2,
            "Nowhere",
        ),
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (effects: [Spawn(3, \"x\", Offstage)])})",
            2,
            "texts",
        ),
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (checks: [(id: \"c\", when: Custom(\"moon\"), else: LOCKED)])})",
            2,
            "moon",
        ),
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (checks: [(id: \"c\", when: Flag(\"f\"), else: NO)])})",
            2,
            "NO",
        ),
        (
            "Rulebook(id: \"x\", actions: {\n\"a\": (checks: [(id: \"c\", when: TimeBetween(0.0, inf), else: LOCKED)])})",
            2,
            "game time",
        ),
        ("Rulebook(id: \"x\",\nextends: \"other\")", 2, "other"),
    ] {
        let error = Rulebook::parse(source.as_bytes(), "x.rulebook.ron", &registry).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
