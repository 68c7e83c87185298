//! An action of the game: judged, in a reply, and in a scenario (rows W1, X5).

use super::support::{action, answers, read, turn_by, typed, world};
use super::{GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::Applied;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::ImperativeParser;
use bevy_dramatis::world::{ActionRegistry, Rulebook, WorldFlags, WorldRead};
use bevy_dramatis::world::{FieldKind, NpcAction};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An action of the game, with its own checks.
#[derive(Debug, Clone, PartialEq, Reflect, Serialize, Deserialize)]
pub struct Cast {
    pub spell: String,
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    pub power: Option<i64>,
}

impl NpcAction for Cast {
    const NAME: &'static str = "cast";
    const RULE: &'static str = r#"(
        checks: [(id: "cast_here", when: Perceivable(Target), else: NOT_PRESENT), (id: "cast_moon", when: Custom("moon"), else: MISSING_REQUIREMENT)],
        effects: [SetAttribute(Target, "enchanted", true)],
    )"#;
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
    // Markers give numbers as texts, and the parser knows the verb.
    let text = "cast light at the box";
    assert_eq!(
        ImperativeParser.read(text, &registry)[0],
        action("cast", json!({"spell": "light", "target": "the box"}))
    );
    // A rule of the book wins; a condition that panics denies, also under `Not`.
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

/// How a game adds an action and a condition to its app.
fn with_magic(app: &mut App) {
    app.add_npc_action::<Cast>()
        .add_action_condition("moon", |scene| scene.world.flag("moon"));
}

#[test]
fn w1_a_games_own_action_reaches_the_game_from_a_reply() {
    #[derive(Resource, Default)]
    struct Casts(Vec<Cast>);
    let casts = r#"{"dialogue": "Behold!", "intents": [{"type": "cast", "spell": "light", "target": "oak door", "power": 3}]}"#;
    let engine = ScriptedEngine::saying([casts, "Not tonight.", casts]);
    let mut game = TestGame::new(engine);
    with_magic(&mut game.app);
    game.install_story(HOUSE);
    let guard = game.spawn_npc(GUARD);
    game.app.init_resource::<Casts>().add_observer(
        |cast: On<Applied<Cast>>, mut seen: ResMut<Casts>| seen.0.push(cast.action.clone()),
    );
    // The game's own condition is not true yet.
    game.talk(guard, "Magic, please.");
    let verdict = game.attempts()[0].verdict.clone().expect("a verdict");
    assert_eq!(verdict.failures[0].rule, "cast_moon");
    assert!(game.world().resource::<Casts>().0.is_empty());
    game.world_mut()
        .resource_mut::<WorldFlags>()
        .0
        .insert("moon".into(), true);
    game.talk(guard, "And now?");
    let expected = Cast {
        spell: "light".into(),
        target: "door".into(),
        power: Some(3),
    };
    assert_eq!(game.world().resource::<Casts>().0, [expected]);
    assert_eq!(
        read(&game, |w| w.attribute("door", "enchanted")),
        Some(true.into())
    );
}

#[test]
fn x5_a_scenario_plays_a_games_own_action_and_ours_refuses_it_by_name() {
    let source = r#"Scenario(name: "magic",
        world: (
            locations: {"hall": (name: "Hall")},
            entities: {
                "player": (name: "Ann", kind: "character", at: In("hall")),
                "box": (name: "box", kind: "item", at: In("hall")),
            },
            flags: {"moon": true},
        ),
        steps: [
            Do(actor: "player", actions: [Cast(spell: "light", target: "box", power: 2)]),
            Act(actor: "player", text: "cast light at the box"),
        ],
        expect: [
            (at: "/turns/0/actions/0/type", is: "cast"),
            (at: "/turns/0/actions/0/power", is: 2),
            (at: "/turns/0/actions/0/result", is: "OK"),
            (at: "/turns/1/actions/0/target", is: "box"),
            (at: "/turns/1/actions/0/result", is: "OK"),
            (at: "/world/entities/box/attributes/enchanted", is: true),
        ])"#;
    let parse = |registry: &ActionRegistry| {
        Scenario::parse(source.as_bytes(), "magic.scenario.ron", &NoFiles, registry)
    };
    let errors =
        parse(&ActionRegistry::default()).expect_err("the registry does not know the action");
    assert!(
        errors[0]
            .to_string()
            .contains("there is no action \"Cast\""),
        "{errors:?}"
    );
    let mut app = App::new();
    with_magic(&mut app);
    let registry = app.world().resource::<ActionRegistry>();
    let scenario = parse(registry).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(play(&scenario, &with_magic).failed, []);
}
