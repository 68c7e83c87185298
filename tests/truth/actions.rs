//! Actions without Bevy: the shipped rulebook and one's own, on a plain world (rows W1-W7).

use super::CELLAR;
use bevy::prelude::Reflect;
use bevy_dramatis::base::fixed::Millis;
use bevy_dramatis::world::action::{FieldKind, NpcAction};
use bevy_dramatis::world::apply::TurnKey;
use bevy_dramatis::world::parser::ImperativeParser;
use bevy_dramatis::world::turn::{TurnInput, TurnKind, TurnRecord};
use bevy_dramatis::world::{
    ActionRegistry, ActionRules, Placement, ProposedAction, Rulebook, WorldChange, WorldRead,
    WorldSpec, WorldState, WorldValue, take_turn,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub fn world() -> WorldState {
    let spec: WorldSpec = ron::from_str(CELLAR).expect("the world");
    WorldState::from(&spec)
}

pub fn action(kind: &str, fields: serde_json::Value) -> ProposedAction {
    ProposedAction {
        kind: kind.to_owned(),
        fields: serde_json::from_value(fields).expect("an object"),
        ..ProposedAction::default()
    }
}

/// Takes a turn and installs what came of it.
pub fn turn_by(
    world: &mut WorldState,
    book: &Rulebook,
    registry: &ActionRegistry,
    input: TurnInput,
) -> TurnRecord {
    let rules = ActionRules {
        book,
        registry,
        now: Millis(5_000),
    };
    let key = TurnKey {
        seed: 7,
        keys: vec![input.id.to_string()],
    };
    let record = take_turn(&rules, key, world, input, &mut Vec::new());
    world.install(&record.changes);
    record
}

pub fn typed(actor: &str, actions: Vec<ProposedAction>) -> TurnInput {
    TurnInput {
        id: 1,
        kind: TurnKind::Do,
        actor: actor.to_owned(),
        text: None,
        parsed: actions,
    }
}

/// "result rule" of each judged action.
pub fn answers(record: &TurnRecord) -> Vec<String> {
    let actions = record.actions.iter();
    actions
        .map(|action| {
            let rule = action.judgement.rule.as_deref().unwrap_or("-");
            format!("{} {rule}", action.judgement.result)
        })
        .collect()
}

fn john(world: &mut WorldState, kind: &str, fields: serde_json::Value) -> String {
    let input = typed("john", vec![action(kind, fields)]);
    let record = turn_by(
        world,
        Rulebook::shipped(),
        &ActionRegistry::default(),
        input,
    );
    match record.rejected.first() {
        Some(rejected) => format!("rejected {}", rejected.rule),
        None => answers(&record).remove(0),
    }
}

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
            actor: "john".to_owned(),
            text: Some(text.to_owned()),
            parsed: ImperativeParser.read(text, &registry),
        };
        let rules = ActionRules {
            book: Rulebook::shipped(),
            registry: &registry,
            now: Millis(0),
        };
        let record = take_turn(&rules, TurnKey::default(), &world, input, &mut mentioned);
        assert_eq!(answers(&record), expected, "{text}: {record:?}");
        world.install(&record.changes);
    }
    assert_eq!(world.attribute("door_1", "open"), Some(true.into()));
    assert_eq!(
        world.placement("coin"),
        Some(Placement::CarriedBy("john".into()))
    );
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
        Some(Placement::CarriedBy("mary".into()))
    );
}

#[test]
fn w6_deeds_are_judged_in_sequence() {
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
        typed("john", newcomers()),
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
        typed("john", newcomers()),
    );
    assert_eq!(same, record);
    let later = TurnInput {
        id: 2,
        ..typed("john", vec![action("introduce", json!({"name": "Ann"}))])
    };
    let later = turn_by(&mut again, Rulebook::shipped(), &registry, later);
    assert_eq!(answers(&later), ["OK -"]);
    assert_ne!(later.changes[0], record.changes[0]);
}

fn book(actions: &str) -> Rulebook {
    let source = format!("Rulebook(id: \"test\", actions: {{{actions}}})");
    Rulebook::parse(
        source.as_bytes(),
        "test.rulebook.ron",
        &ActionRegistry::default(),
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Whether "use the box with the key" is allowed when this condition must hold.
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
    let carried = Placement::CarriedBy("john".into());
    world.entities.get_mut("key_1").unwrap().at = carried;
    let mut boxed = world.entities["box"].clone();
    boxed.attributes.insert("weight".into(), 5.into());
    boxed.attributes.insert("label".into(), "fragile".into());
    boxed.attributes.insert("key".into(), "key_1".into());
    world.entities.insert("box".into(), boxed);
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
    world.turn_of = Some("mary".into());
    assert!(!holds("ActorsTurn", &world));
    world.turn_of = Some("john".into());
    assert!(holds("ActorsTurn", &world));
}

#[test]
fn w4_out_of_turn_comes_before_everything_else() {
    let mut world = world();
    world.turn_of = Some("mary".into());
    assert_eq!(
        john(&mut world, "take", json!({"target": "nothing"})),
        "OUT_OF_TURN take_turn"
    );
    assert_eq!(
        john(&mut world, "speak", json!({"content": "Psst."})),
        "OK -"
    );
}

/// What a turn of "use the box with the key" does under these effects.
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
        Some(Placement::CarriedBy("john".into()))
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
    let input = typed("john", vec![action("use", fields)]);
    let mut world = world();
    world.entities.get_mut("box").unwrap().name = String::new();
    let rules = ActionRules {
        book: &book,
        registry: &ActionRegistry::default(),
        now: Millis(0),
    };
    let record = take_turn(&rules, TurnKey::default(), &world, input, &mut Vec::new());
    // An unknown id is NOT_FOUND, whatever the book says.
    assert_eq!(answers(&record), ["NOT_FOUND unresolved"]);
    let fields = json!({"target": "box"});
    let input = typed("john", vec![action("use", fields)]);
    let record = take_turn(&rules, TurnKey::default(), &world, input, &mut Vec::new());
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

/// A game's own action, with checks of its own.
#[derive(Debug, Clone, PartialEq, Reflect, Serialize, Deserialize)]
pub struct Cast {
    pub spell: String,
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    pub power: Option<i64>,
}

impl NpcAction for Cast {
    const NAME: &'static str = "cast";

    fn default_rule() -> Option<bevy_dramatis::world::rulebook::ActionRule> {
        ron::from_str(
            r#"(checks: [(id: "cast_here", when: Perceivable(Target), else: NOT_PRESENT), (id: "cast_moon", when: Custom("moon"), else: MISSING_REQUIREMENT)],
                effects: [SetAttribute(Target, "enchanted", true)])"#,
        )
        .ok()
    }
}

#[test]
fn w1_a_games_own_action_is_judged_like_a_built_in_one() {
    let mut registry = ActionRegistry::default();
    registry.add::<Cast>();
    registry.add_function("moon", |scene| {
        scene.intent.text("spell") != Some("darkness")
    });
    registry.add_function("broken", |_| panic!("a game's own fault"));
    let cast = |fields| typed("john", vec![action("cast", fields)]);
    for (fields, expected) in [
        (
            json!({"spell": "light", "target": "box", "power": 3}),
            "OK -",
        ),
        (
            json!({"spell": "darkness", "target": "box"}),
            "MISSING_REQUIREMENT cast_moon",
        ),
        (
            json!({"spell": "light", "target": "coin"}),
            "NOT_PRESENT cast_here",
        ),
    ] {
        let mut world = world();
        let record = turn_by(
            &mut world,
            Rulebook::shipped(),
            &registry,
            cast(fields.clone()),
        );
        assert_eq!(answers(&record), [expected], "{fields}");
        let done = expected == "OK -";
        assert_eq!(world.attribute("box", "enchanted").is_some(), done);
        if done {
            let typed: Cast = record.actions[0].intent.typed().unwrap();
            assert_eq!(typed.power, Some(3));
        }
    }
    for wrong in [
        json!({"spell": "light", "target": "box", "power": "strong"}),
        json!({"spell": "light", "target": "box", "power": 1.5}),
        json!({"spell": 3, "target": "box"}),
        json!({"target": "box"}),
    ] {
        let record = turn_by(
            &mut world(),
            Rulebook::shipped(),
            &registry,
            cast(wrong.clone()),
        );
        assert_eq!(record.rejected[0].rule, "bad_fields", "{wrong}");
    }
    // Markers bring numbers as texts, and the parser knows the verb.
    let text = "cast light at the box";
    assert_eq!(
        ImperativeParser.read(text, &registry)[0],
        action("cast", json!({"spell": "light", "target": "the box"}))
    );
    // A rule of the book wins; a question that panics denies, also under Not.
    for broken in ["Custom(\"broken\")", "Not(Custom(\"broken\"))"] {
        let source = format!(
            "Rulebook(id: \"x\", actions: {{\"cast\": (checks: [(id: \"b\", when: {broken}, else: LOCKED)])}})"
        );
        let book = Rulebook::parse(source.as_bytes(), "x", &registry).unwrap();
        let record = turn_by(
            &mut world(),
            &book,
            &registry,
            cast(json!({"spell": "x", "target": "box"})),
        );
        assert_eq!(answers(&record), ["LOCKED b"]);
    }
}

/// What "take WORDS" means to John: an id, or why not.
fn refers(world: &WorldState, kind: &str, words: &str, mentioned: &[&str]) -> String {
    let registry = ActionRegistry::default();
    let fields = match kind {
        "give" => json!({"target": "box", "to": words}),
        _ => json!({"target": words}),
    };
    let rules = ActionRules {
        book: Rulebook::shipped(),
        registry: &registry,
        now: Millis(0),
    };
    let mentioned = mentioned.iter().map(|id| vec![(*id).to_owned()]).collect();
    let mut turn = bevy_dramatis::world::Turn::new(rules, TurnKey::default(), world, mentioned);
    match turn.normalise(&action(kind, fields), "john", None, &[]) {
        Ok(intent) if kind == "give" => intent.text("to").unwrap().to_owned(),
        Ok(intent) => intent.target().unwrap().to_owned(),
        Err(error) => error.rule().to_owned(),
    }
}

#[test]
fn w3_references_resolve_always_the_same_way() {
    let mut world = world();
    let carried = Placement::CarriedBy("john".into());
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
    world.entities.get_mut("key_2").unwrap().at = Placement::In("hall".into());
    assert_eq!(refers(&world, "take", "the key", &[]), "ambiguous");
    assert_eq!(refers(&world, "take", "the iron key", &[]), "key_2");
    // A name beats an alias, an id beats a name.
    world.entities.get_mut("coin").unwrap().at = Placement::In("hall".into());
    world.entities.get_mut("coin").unwrap().name = "key".into();
    assert_eq!(refers(&world, "take", "the key", &[]), "coin");
    world.entities.get_mut("statue").unwrap().name = "coin".into();
    assert_eq!(refers(&world, "take", "coin", &[]), "coin");
    // A look-alike name stands beside the real one, and nothing is guessed.
    world.entities.get_mut("box").unwrap().name = "br\u{430}ss key".into();
    assert_eq!(refers(&world, "take", "brass key", &[]), "ambiguous");
}

#[test]
fn w3_a_clarification_has_the_candidates_and_can_be_answered() {
    let mut world = world();
    world.entities.get_mut("key_2").unwrap().at = Placement::In("hall".into());
    let registry = ActionRegistry::default();
    let act = |text: &str| TurnInput {
        id: 1,
        kind: TurnKind::Act,
        actor: "john".to_owned(),
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
        Some(Placement::CarriedBy("john".into()))
    );
    // What "it" was when it was said, it is when the answer comes.
    world.entities.get_mut("mary").unwrap().at = Placement::In("hall".into());
    world.entities.get_mut("bob").unwrap().at = Placement::In("hall".into());
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
